/** The types of a client, generated from contract/openapi.json. */
import { readFileSync } from 'node:fs';
import openapiTs, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import ts from 'typescript';

const DOCUMENT = new URL('../contract/openapi.json', import.meta.url);

const { webhooks } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as {
  webhooks: Record<string, { post: { operationId: string } }>;
};
const webhookIds = new Set(Object.values(webhooks).map(({ post }) => post.operationId));

/** Returns the text of contract/client.d.ts. */
export async function clientTypes(): Promise<string> {
  const nodes = await openapiTs(DOCUMENT, { silent: true });
  return `${COMMENT_HEADER}${astToString(nodes.map(withShortWebhooks))}`;
}

/** Removes unused methods and parameters of webhooks, which have one method and no path. */
function withShortWebhooks(node: ts.Node): ts.Node {
  if (!ts.isInterfaceDeclaration(node)) return node;
  if (node.name.text === 'webhooks') return withoutNever(node);
  if (node.name.text !== 'operations') return node;
  const members = node.members.map((member) => (isWebhook(member) ? withoutNever(member) : member));
  return ts.factory.updateInterfaceDeclaration(
    node,
    node.modifiers,
    node.name,
    node.typeParameters,
    node.heritageClauses,
    members,
  );
}

function isWebhook({ name }: ts.TypeElement): boolean {
  return name !== undefined && ts.isIdentifier(name) && webhookIds.has(name.text);
}

/** Returns the node without optional properties of the type `never`. */
function withoutNever<Node extends ts.Node>(node: Node): Node {
  const visit = (inner: ts.Node): ts.Node | undefined => {
    const isNever = ts.isPropertySignature(inner) && inner.type?.kind === ts.SyntaxKind.NeverKeyword;
    return isNever ? undefined : ts.visitEachChild(inner, visit, undefined);
  };
  return ts.visitEachChild(node, visit, undefined);
}
