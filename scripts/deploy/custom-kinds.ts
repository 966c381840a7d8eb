/**
 * Schemas of two kinds that are not part of Kubernetes, written from their public references. HTTPRoute is the kind of
 * the Gateway API (gateway.networking.k8s.io/v1, standard channel). PodMonitor is the kind of the Prometheus operator
 * (monitoring.coreos.com/v1), here without the fields for OAuth2, TLS and basic authentication. An unknown field is an
 * error.
 */
import { type TObject, type TProperties, Type } from 'typebox';

const exact = <P extends TProperties>(properties: P): TObject<P> =>
  Type.Object(properties, { additionalProperties: false });
const may = Type.Optional;
const oneOf = (...words: string[]) => Type.Enum(words);
const strings = Type.Record(Type.String(), Type.String());

const DNS_LABEL = Type.String({ pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 });
const PORT = Type.Integer({ minimum: 1, maximum: 65_535 });
/** A duration as GEP-2257 defines it: at most four parts, each a number of at most five digits with its unit. */
const DURATION = Type.String({ pattern: '^([0-9]{1,5}(h|m|s|ms)){1,4}$' });
const PROMETHEUS_DURATION = Type.String({
  pattern: '^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$',
});
const PATH = Type.String({ pattern: '^/', maxLength: 1024 });

const metadata = exact({
  name: DNS_LABEL,
  namespace: may(DNS_LABEL),
  labels: may(strings),
  annotations: may(strings),
});

const header = exact({ name: Type.String({ minLength: 1 }), value: Type.String() });
const headers = exact({
  set: may(Type.Array(header)),
  add: may(Type.Array(header)),
  remove: may(Type.Array(Type.String())),
});
const matchOf = (types: string[]) =>
  exact({ type: may(oneOf(...types)), name: Type.String({ minLength: 1 }), value: Type.String({ minLength: 1 }) });
const newPath = Type.Union([
  exact({ type: Type.Literal('ReplaceFullPath'), replaceFullPath: PATH }),
  exact({ type: Type.Literal('ReplacePrefixMatch'), replacePrefixMatch: Type.String() }),
]);
const filter = Type.Union([
  exact({ type: Type.Literal('RequestHeaderModifier'), requestHeaderModifier: headers }),
  exact({ type: Type.Literal('ResponseHeaderModifier'), responseHeaderModifier: headers }),
  exact({
    type: Type.Literal('RequestRedirect'),
    requestRedirect: exact({
      scheme: may(oneOf('http', 'https')),
      hostname: may(Type.String()),
      path: may(newPath),
      port: may(PORT),
      statusCode: may(Type.Union([Type.Literal(301), Type.Literal(302)])),
    }),
  }),
  exact({
    type: Type.Literal('URLRewrite'),
    urlRewrite: exact({ hostname: may(Type.String()), path: may(newPath) }),
  }),
]);
const backend = exact({
  group: may(Type.String()),
  kind: may(Type.String()),
  name: DNS_LABEL,
  namespace: may(DNS_LABEL),
  port: PORT,
  weight: may(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  filters: may(Type.Array(filter, { maxItems: 16 })),
});

const HttpRoute = exact({
  apiVersion: Type.Literal('gateway.networking.k8s.io/v1'),
  kind: Type.Literal('HTTPRoute'),
  metadata,
  spec: exact({
    parentRefs: Type.Array(
      exact({
        group: may(Type.String()),
        kind: may(Type.String()),
        namespace: may(DNS_LABEL),
        name: DNS_LABEL,
        sectionName: may(Type.String()),
        port: may(PORT),
      }),
      { minItems: 1, maxItems: 32 },
    ),
    hostnames: may(Type.Array(Type.String({ pattern: '^(\\*\\.)?[a-z0-9]([-a-z0-9.]*[a-z0-9])?$' }), { maxItems: 16 })),
    rules: Type.Array(
      exact({
        name: may(Type.String()),
        matches: may(
          Type.Array(
            exact({
              path: may(exact({ type: oneOf('Exact', 'PathPrefix', 'RegularExpression'), value: PATH })),
              headers: may(Type.Array(matchOf(['Exact', 'RegularExpression']), { maxItems: 16 })),
              queryParams: may(Type.Array(matchOf(['Exact', 'RegularExpression']), { maxItems: 16 })),
              method: may(oneOf('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH')),
            }),
            { maxItems: 64 },
          ),
        ),
        filters: may(Type.Array(filter, { maxItems: 16 })),
        backendRefs: may(Type.Array(backend, { maxItems: 16 })),
        timeouts: may(exact({ request: may(DURATION), backendRequest: may(DURATION) })),
      }),
      { minItems: 1, maxItems: 16 },
    ),
  }),
});

const selector = exact({
  matchLabels: may(strings),
  matchExpressions: may(
    Type.Array(
      exact({
        key: Type.String(),
        operator: oneOf('In', 'NotIn', 'Exists', 'DoesNotExist'),
        values: may(Type.Array(Type.String())),
      }),
    ),
  ),
});
const relabelings = Type.Array(
  exact({
    sourceLabels: may(Type.Array(Type.String())),
    separator: may(Type.String()),
    targetLabel: may(Type.String()),
    regex: may(Type.String()),
    modulus: may(Type.Integer()),
    replacement: may(Type.String()),
    action: may(oneOf('replace', 'keep', 'drop', 'hashmod', 'labelmap', 'labeldrop', 'labelkeep', 'lowercase')),
  }),
);

const PodMonitor = exact({
  apiVersion: Type.Literal('monitoring.coreos.com/v1'),
  kind: Type.Literal('PodMonitor'),
  metadata,
  spec: exact({
    jobLabel: may(Type.String()),
    podTargetLabels: may(Type.Array(Type.String())),
    selector,
    namespaceSelector: may(exact({ any: may(Type.Boolean()), matchNames: may(Type.Array(Type.String())) })),
    sampleLimit: may(Type.Integer({ minimum: 0 })),
    podMetricsEndpoints: Type.Array(
      exact({
        port: may(Type.String()),
        portNumber: may(PORT),
        path: may(PATH),
        scheme: may(oneOf('http', 'https')),
        interval: may(PROMETHEUS_DURATION),
        scrapeTimeout: may(PROMETHEUS_DURATION),
        honorLabels: may(Type.Boolean()),
        honorTimestamps: may(Type.Boolean()),
        followRedirects: may(Type.Boolean()),
        filterRunning: may(Type.Boolean()),
        authorization: may(
          exact({
            type: may(Type.String()),
            credentials: exact({ name: Type.String(), key: Type.String(), optional: may(Type.Boolean()) }),
          }),
        ),
        relabelings: may(relabelings),
        metricRelabelings: may(relabelings),
      }),
      { minItems: 1 },
    ),
  }),
});

/** The schema of each kind. */
export const CUSTOM_KINDS = { HTTPRoute: HttpRoute, PodMonitor } as const;
