/** Checks of deploy/kubernetes: kustomize builds it, its fields are those of Kubernetes, and its parts fit together. */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { loadConfig } from '../../src/platform/config.ts';
import { type Check, DEPLOY, must, outputOf, ROOT, ran } from './check.ts';
import { filledIn } from './compose.ts';
import { IMAGE_USER } from './image.ts';

const FOLDER = join(DEPLOY, 'kubernetes');

/** Type of each kind in the package kubernetes-types. */
const TYPES: Record<string, string> = {
  Namespace: 'core/v1',
  ServiceAccount: 'core/v1',
  ConfigMap: 'core/v1',
  Secret: 'core/v1',
  Service: 'core/v1',
  Job: 'batch/v1',
  Deployment: 'apps/v1',
  PodDisruptionBudget: 'policy/v1',
  Ingress: 'networking/v1',
};

interface Container {
  name: string;
  image: string;
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  securityContext?: {
    allowPrivilegeEscalation?: boolean;
    readOnlyRootFilesystem?: boolean;
    capabilities?: { drop?: string[] };
  };
  startupProbe?: unknown;
  livenessProbe?: unknown;
  readinessProbe?: unknown;
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
}

interface PodTemplate {
  metadata?: { labels?: Record<string, string> };
  spec: {
    enableServiceLinks?: boolean;
    automountServiceAccountToken?: boolean;
    securityContext?: { runAsNonRoot?: boolean; runAsUser?: number; seccompProfile?: { type: string } };
    containers: Container[];
  };
}

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec?: { template?: PodTemplate; selector?: Record<string, unknown> & { matchLabels?: Record<string, string> } };
}

export const KUBERNETES: readonly Check[] = [
  {
    name: 'kubernetes manifests',
    tools: ['kubectl'],
    run: async (scratch) => {
      const folder = join(scratch, 'kubernetes');
      cpSync(FOLDER, folder, { recursive: true });
      const { code } = await ran('kubectl', ['kustomize', folder]);
      must(code !== 0, 'kustomize builds without secret.env');
      const secrets = filledIn(readFileSync(join(FOLDER, 'secret.env.example'), 'utf8'));
      writeFileSync(join(folder, 'secret.env'), secrets);
      const text = await outputOf('kubectl', ['kustomize', folder]);
      const manifests = parseAllDocuments(text).map((document) => document.toJS() as Manifest);
      const unknown = manifests.filter(({ kind }) => !(kind in TYPES)).map(({ kind }) => kind);
      must(unknown.length === 0, `no type is known for ${unknown.join(', ')}`);
      await checkFields(manifests, scratch);
      checkSettings(manifests);
      for (const { kind, spec } of manifests) if (spec?.template !== undefined) checkPod(kind, spec.template);
      checkSelectors(manifests);
      return `${manifests.length} objects`;
    },
  },
];

const one = (manifests: readonly Manifest[], kind: string): Manifest => {
  const found = manifests.find((manifest) => manifest.kind === kind);
  must(found !== undefined, `there is no ${kind}`);
  return found;
};

/** Compares every field with the types of Kubernetes, because Kubernetes ignores misspelt fields. */
async function checkFields(manifests: readonly Manifest[], scratch: string): Promise<void> {
  const lines = manifests.map((manifest, index) => {
    const type = `import('kubernetes-types/${TYPES[manifest.kind]}').${manifest.kind}`;
    return `export const object${index}: ${type} = ${JSON.stringify(manifest, undefined, 2)};`;
  });
  writeFileSync(join(scratch, 'manifests.ts'), lines.join('\n'));
  symlinkSync(join(ROOT, 'node_modules'), join(scratch, 'node_modules'));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const compilerOptions = { noEmit: true, strict: true, skipLibCheck: true, module: 'nodenext', types: [] };
  writeFileSync(join(scratch, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['manifests.ts'] }));
  await outputOf(process.execPath, [tsc, '-p', scratch]);
}

/** The service itself validates the settings of its pods. */
function checkSettings(manifests: readonly Manifest[]): void {
  const secret = Object.entries(one(manifests, 'Secret').data ?? {});
  const plain = secret.map(([name, value]) => [name, Buffer.from(value, 'base64').toString()] as const);
  loadConfig({ ...one(manifests, 'ConfigMap').data, ...Object.fromEntries(plain) });
}

/** Checks the requirements of the Pod Security Standard "restricted", and those of this service. */
function checkPod(kind: string, { spec }: PodTemplate): void {
  must(spec.enableServiceLinks === false, `${kind}: enableServiceLinks would set variables such as BACKROOM_PORT`);
  must(spec.automountServiceAccountToken === false, `${kind}: the pod gets a token that it does not need`);
  const { runAsNonRoot, runAsUser, seccompProfile } = spec.securityContext ?? {};
  must(runAsNonRoot === true && runAsUser === IMAGE_USER, `${kind}: does not run as the user of the image`);
  must(seccompProfile?.type === 'RuntimeDefault', `${kind}: has no seccomp profile`);
  for (const { name, image, resources, securityContext, ...container } of spec.containers) {
    const where = `${kind}, ${name}`;
    must(/^registry\.example\.com\/backroom:\d/.test(image), `${where}: the image is ${image}`);
    must(resources?.requests?.['cpu'] !== undefined, `${where}: requests no CPU`);
    must(resources.limits?.['memory'] !== undefined, `${where}: has no limit of memory`);
    must(securityContext?.allowPrivilegeEscalation === false, `${where}: may gain privileges`);
    must(securityContext.readOnlyRootFilesystem === true, `${where}: can write to its root`);
    must(securityContext.capabilities?.drop?.includes('ALL') === true, `${where}: keeps capabilities`);
    if (kind !== 'Deployment') continue;
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const) {
      must(container[probe] !== undefined, `${where}: has no ${probe}`);
    }
  }
}

/** The Service and the disruption budget select the pods of the Deployment, and no others. */
function checkSelectors(manifests: readonly Manifest[]): void {
  const labels = one(manifests, 'Deployment').spec?.template?.metadata?.labels ?? {};
  const jobLabels = one(manifests, 'Job').spec?.template?.metadata?.labels ?? {};
  const selectors = {
    Deployment: one(manifests, 'Deployment').spec?.selector?.matchLabels,
    PodDisruptionBudget: one(manifests, 'PodDisruptionBudget').spec?.selector?.matchLabels,
    Service: one(manifests, 'Service').spec?.selector as Record<string, string> | undefined,
  };
  for (const [kind, selector] of Object.entries(selectors)) {
    const pairs = Object.entries(selector ?? {});
    must(pairs.length > 0 && pairs.every(([name, value]) => labels[name] === value), `${kind} selects other pods`);
    must(!pairs.every(([name, value]) => jobLabels[name] === value), `${kind} selects the pods of the Job too`);
  }
}
