/**
 * Requests of the reference page as code: curl, TypeScript, Python and Java, each without a library. Every sample is a
 * complete program that reads its address and credentials from the environment variables that the demo prints.
 */

/** A sample of a request in one language, in the form of an entry of `x-codeSamples`. */
export interface CodeSample {
  lang: 'Shell' | 'TypeScript' | 'Python' | 'Java';
  label: string;
  source: string;
}

/** The request that a sample sends. */
export interface SampleRequest {
  method: string;
  /** Path and query. */
  path: string;
  security: 'apiKey' | 'apiKey+basic' | 'operatorKey';
  body?: unknown;
  /** CSV text of an upload. */
  csv?: string;
  /** X12 text of the body. */
  x12?: string;
}

const BOUNDARY = 'backroom-upload';

/** Returns the request in each language. */
export function codeSamples(request: SampleRequest): CodeSample[] {
  return [
    { lang: 'Shell', label: 'curl', source: curl(request) },
    { lang: 'TypeScript', label: 'TypeScript', source: typescript(request) },
    { lang: 'Python', label: 'Python', source: python(request) },
    { lang: 'Java', label: 'Java', source: java(request) },
  ];
}

/** Headers by name. A value is a text, or an environment variable with a text before it. */
type Header = readonly [name: string, text: string, variable?: string];

function headersOf({ security, body, csv, x12 }: SampleRequest): Header[] {
  const headers: Header[] = [];
  if (security === 'operatorKey') headers.push(['Authorization', 'Bearer ', 'OPERATOR_KEY']);
  else headers.push(['apiKey', '', 'API_KEY']);
  if (body !== undefined) headers.push(['Content-Type', 'application/json']);
  if (x12 !== undefined) headers.push(['Content-Type', 'application/edi-x12']);
  if (csv !== undefined) headers.push(['Content-Type', `multipart/form-data; boundary=${BOUNDARY}`]);
  return headers;
}

const withBasic = (request: SampleRequest) => request.security === 'apiKey+basic';

/** Returns the body of an upload form. */
function formOf(csv: string): string {
  const part = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="filename"; filename="items.csv"\r\nContent-Type: text/csv`;
  return `${part}\r\n\r\n${csv}\r\n--${BOUNDARY}--\r\n`;
}

function curl(request: SampleRequest): string {
  const { method, path, body, csv, x12 } = request;
  const lines = [`curl -sS --fail-with-body -X ${method} "$BASE${path}"`];
  if (withBasic(request)) lines.push('-u "$BASIC"');
  for (const [name, text, variable] of headersOf(request)) {
    // curl adds the Content-Type of a form itself.
    if (csv === undefined || name !== 'Content-Type') {
      lines.push(`-H "${name}: ${text}${variable === undefined ? '' : `$${variable}`}"`);
    }
  }
  if (body !== undefined) lines.push(`-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`);
  if (x12 !== undefined) lines.push(`--data-binary '${x12}'`);
  if (csv !== undefined) lines.push("-F 'filename=@-;filename=items.csv;type=text/csv' <<'CSV'");
  const command = lines.join(' \\\n  ');
  return csv === undefined ? `${command}\n` : `${command}\n${csv}CSV\n`;
}

function typescript(request: SampleRequest): string {
  const { method, path, body, csv, x12 } = request;
  const names = [
    'BASE',
    ...(withBasic(request) ? ['BASIC'] : []),
    ...headersOf(request).flatMap(([, , name]) => name ?? []),
  ];
  const headers = headersOf(request)
    .filter(([name]) => csv === undefined || name !== 'Content-Type')
    .map(([name, text, variable]) => {
      if (variable === undefined) return `${keyOf(name)}: '${text}'`;
      return `${keyOf(name)}: ${text === '' ? `${variable}!` : `\`${text}\${${variable}}\``}`;
    });
  if (withBasic(request)) headers.push(`Authorization: \`Basic \${btoa(BASIC!)}\``);
  const members = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    `headers: { ${headers.join(', ')} }`,
    ...(body === undefined ? [] : [`body: JSON.stringify(${indented(JSON.stringify(body, null, 2), '  ')})`]),
    ...(x12 === undefined ? [] : [`body: ${JSON.stringify(x12)}`]),
    ...(csv === undefined ? [] : ['body: form']),
  ];
  const form =
    csv === undefined
      ? ''
      : `const form = new FormData();\nform.set('filename', new File([${JSON.stringify(csv)}], 'items.csv', { type: 'text/csv' }));\n`;
  return `const { ${[...new Set(names)].join(', ')} } = process.env;
${form}const response = await fetch(\`\${BASE}${path}\`, {
${members.map((member) => `  ${member},\n`).join('')}});
const text = await response.text();
if (!response.ok) throw new Error(\`\${response.status} \${text}\`);
console.log(text);
`;
}

function keyOf(name: string): string {
  return /^\w+$/.test(name) ? name : `'${name}'`;
}

function python(request: SampleRequest): string {
  const { method, path, body, csv, x12 } = request;
  const text = x12 ?? (csv === undefined ? undefined : formOf(csv));
  const headers = headersOf(request).map(([name, text, variable]) => {
    const value = variable === undefined ? JSON.stringify(text) : `os.environ["${variable}"]`;
    return `"${name}": ${text !== '' && variable !== undefined ? `${JSON.stringify(text)} + ` : ''}${value}`;
  });
  if (withBasic(request)) {
    headers.push('"Authorization": "Basic " + base64.b64encode(os.environ["BASIC"].encode()).decode()');
  }
  const data =
    body !== undefined
      ? `json.dumps(${indented(pythonLiteral(body), '    ')}).encode()`
      : text !== undefined
        ? `${JSON.stringify(text)}.encode()`
        : undefined;
  const imports = [...(withBasic(request) ? ['base64'] : []), ...(body === undefined ? [] : ['json']), 'os'];
  return `${imports.map((name) => `import ${name}\n`).join('')}import sys
import urllib.error
import urllib.request

request = urllib.request.Request(
    os.environ["BASE"] + ${JSON.stringify(path)},
    method="${method}",
    headers={
${headers.map((header) => `        ${header},\n`).join('')}    },
${data === undefined ? '' : `    data=${data},\n`})
try:
    with urllib.request.urlopen(request) as response:
        print(response.read().decode())
except urllib.error.HTTPError as error:
    sys.exit(f"{error.code} {error.read().decode()}")
`;
}

/** Returns JSON as a Python literal: `true`, `false` and `null` have other names there. */
function pythonLiteral(value: unknown): string {
  return JSON.stringify(value, null, 4)
    .split('\n')
    .map((line) =>
      line.replace(/(^\s*|: )(true|false|null)(,?)$/, (_all, before: string, word: string, comma: string) => {
        const spelt = word === 'null' ? 'None' : `${word[0]!.toUpperCase()}${word.slice(1)}`;
        return `${before}${spelt}${comma}`;
      }),
    )
    .join('\n');
}

function java(request: SampleRequest): string {
  const { method, path, body, csv, x12 } = request;
  const text = x12 ?? (csv === undefined ? undefined : formOf(csv));
  const headers = headersOf(request).map(([name, text, variable]) => {
    const value = variable === undefined ? JSON.stringify(text) : `System.getenv("${variable}")`;
    return `.header("${name}", ${text !== '' && variable !== undefined ? `${JSON.stringify(text)} + ` : ''}${value})`;
  });
  if (withBasic(request)) {
    headers.push(
      '.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(System.getenv("BASIC").getBytes()))',
    );
  }
  const sent =
    body !== undefined
      ? `BodyPublishers.ofString("""\n${indented(escapedBlock(JSON.stringify(body, null, 2)), '          ', true)}""")`
      : text !== undefined
        ? `BodyPublishers.ofString(${JSON.stringify(text)})`
        : 'BodyPublishers.noBody()';
  const uses = ['java.net.URI', 'java.net.http.HttpClient', 'java.net.http.HttpRequest'];
  uses.push('java.net.http.HttpRequest.BodyPublishers', 'java.net.http.HttpResponse.BodyHandlers');
  if (withBasic(request)) uses.push('java.util.Base64');
  return `${uses.map((name) => `import ${name};\n`).join('')}
public class Sample {
  public static void main(String[] args) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(System.getenv("BASE") + ${JSON.stringify(path)}))
${headers.map((header) => `        ${header}\n`).join('')}        .method("${method}", ${sent})
        .build();
    var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    if (response.statusCode() >= 300) {
      throw new IllegalStateException(response.statusCode() + " " + response.body());
    }
    System.out.println(response.body());
  }
}
`;
}

/**
 * Escapes a text for a Java text block, in which three quotes end the block and a backslash begins an escape sequence.
 */
function escapedBlock(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"""');
}

function indented(text: string, by: string, first = false): string {
  return text
    .split('\n')
    .map((line, index) => (index === 0 && !first ? line : `${by}${line}`))
    .join('\n');
}
