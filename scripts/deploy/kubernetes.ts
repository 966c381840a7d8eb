/**
 * Checks of deploy/kubernetes: kustomize builds the folder, every field exists in Kubernetes, and the objects refer to
 * each other correctly.
 */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { loadConfig } from '../../src/platform/config.ts';
import { type Check, DEPLOY, must, outputOf, ROOT, ran } from './check.ts';
import { filledIn } from './compose.ts';
import { CUSTOM_KINDS } from './custom-kinds.ts';
import { IMAGE_USER } from './image.ts';

const FOLDER = join(DEPLOY, 'kubernetes');

/** Module of each kind's type in the package kubernetes-types. */
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
  NetworkPolicy: 'networking/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
  PersistentVolumeClaim: 'core/v1',
};

/** Name of the Deployment of the service. Another Deployment takes backups. */
const SERVICE = 'backroom';

/** The combinations of components that are checked: the default, all optional components, and the ingress. */
const COMBINATIONS: readonly (readonly string[])[] = [
  ['gateway', 'backup'],
  ['gateway', 'backup', 'autoscaler', 'networkpolicy', 'podmonitor'],
  ['ingress'],
];

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

interface Route {
  spec: { rules: { backendRefs?: { name: string; port: number }[] }[] };
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
      const file = join(folder, 'kustomization.yaml');
      const written = parse(readFileSync(file, 'utf8')) as { components: string[] };
      must(
        written.components.join() === COMBINATIONS[0]!.join(),
        `the components are ${written.components.join(', ')}`,
      );
      const counts: number[] = [];
      const all: Manifest[] = [];
      for (const components of COMBINATIONS) {
        writeFileSync(file, stringify({ ...written, components }));
        const text = await outputOf('kubectl', ['kustomize', folder]);
        const manifests = parseAllDocuments(text).map((document) => document.toJS() as Manifest);
        checkCustomKinds(manifests);
        checkSettings(manifests);
        for (const { kind, metadata, spec } of manifests) {
          if (spec?.template !== undefined) checkPod(kind, metadata.name, spec.template);
        }
        checkSelectors(manifests);
        checkReferences(manifests);
        counts.push(manifests.length);
        all.push(...manifests);
      }
      await checkFields(all, scratch);
      return `${counts.join(', ')} objects`;
    },
  },
];

const one = (manifests: readonly Manifest[], kind: string, name?: string): Manifest => {
  const found = manifests.find(({ kind: is, metadata }) => is === kind && (name ?? metadata.name) === metadata.name);
  must(found !== undefined, `there is no ${kind} ${name ?? ''}`);
  return found;
};

/** Checks objects of kinds that are not part of Kubernetes against the schemas of these kinds. */
export function checkCustomKinds(manifests: readonly { kind: string; spec?: object | undefined }[]): void {
  const ajv = new Ajv({ allErrors: true });
  for (const manifest of manifests) {
    const schema = Object.entries(CUSTOM_KINDS).find(([kind]) => kind === manifest.kind)?.[1];
    if (schema === undefined) continue;
    must(ajv.validate(schema, manifest), `${manifest.kind}: ${ajv.errorsText()}`);
  }
}

/**
 * Checks references between objects. The generated name of the Secret has a hash, and every reference must have that
 * name. A route must lead to a port of the Service.
 */
function checkReferences(manifests: readonly Manifest[]): void {
  const secret = one(manifests, 'Secret').metadata.name;
  const text = JSON.stringify(manifests);
  for (const [, name = ''] of text.matchAll(/"name":"(backroom-secret[^"]*)"/g)) {
    must(name === secret, `an object names the Secret ${name}, which is ${secret}`);
  }
  const route = manifests.find(({ kind }) => kind === 'HTTPRoute') as Route | undefined;
  const [backend] = route?.spec.rules.flatMap(({ backendRefs }) => backendRefs ?? []) ?? [];
  if (backend === undefined) return;
  const { ports } = one(manifests, 'Service', backend.name).spec as { ports?: { port: number }[] };
  must(ports?.some(({ port }) => port === backend.port) === true, `the route leads to port ${backend.port}`);
}

/** Compares every field with the types of Kubernetes, because Kubernetes ignores misspelt fields. */
async function checkFields(manifests: readonly Manifest[], scratch: string): Promise<void> {
  const builtIn = manifests.filter(({ kind }) => !(kind in CUSTOM_KINDS));
  const unknown = builtIn.filter(({ kind }) => !(kind in TYPES)).map(({ kind }) => kind);
  must(unknown.length === 0, `no type is known for ${unknown.join(', ')}`);
  const lines = builtIn.map((manifest, index) => {
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

/** Validates the settings of the pods with the code of the service. */
function checkSettings(manifests: readonly Manifest[]): void {
  const secret = Object.entries(one(manifests, 'Secret').data ?? {});
  const plain = secret.map(([name, value]) => [name, Buffer.from(value, 'base64').toString()] as const);
  loadConfig({ ...one(manifests, 'ConfigMap').data, ...Object.fromEntries(plain) });
}

/** Checks the requirements of the Pod Security Standard "restricted", and the requirements of this service. */
function checkPod(kind: string, of: string, { spec }: PodTemplate): void {
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
    if (kind !== 'Deployment' || of !== SERVICE) continue;
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const) {
      must(container[probe] !== undefined, `${where}: has no ${probe}`);
    }
  }
}

/**
 * Checks that the Deployment, the Service and the disruption budget select the pods of the Deployment, and no other
 * pods.
 */
function checkSelectors(manifests: readonly Manifest[]): void {
  const labels = one(manifests, 'Deployment', SERVICE).spec?.template?.metadata?.labels ?? {};
  const others = manifests.filter(
    ({ kind, metadata }) => kind === 'Job' || (kind === 'Deployment' && metadata.name !== SERVICE),
  );
  const selectors = {
    Deployment: one(manifests, 'Deployment', SERVICE).spec?.selector?.matchLabels,
    PodDisruptionBudget: one(manifests, 'PodDisruptionBudget').spec?.selector?.matchLabels,
    Service: one(manifests, 'Service').spec?.selector as Record<string, string> | undefined,
  };
  for (const [kind, selector] of Object.entries(selectors)) {
    const pairs = Object.entries(selector ?? {});
    must(pairs.length > 0 && pairs.every(([name, value]) => labels[name] === value), `${kind} selects other pods`);
    for (const { kind: of, metadata, spec } of others) {
      const theirs = spec?.template?.metadata?.labels ?? {};
      must(
        !pairs.every(([name, value]) => theirs[name] === value),
        `${kind} selects the pods of ${of} ${metadata.name}`,
      );
    }
  }
}
