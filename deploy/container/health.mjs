// The health check of the image: exits with 0 if the service of this container is ready, otherwise with 1. It prints
// the result.
import http from 'node:http';
import https from 'node:https';

const { HOST = '', PORT = '8080', PUBLIC_URL, TLS_CERT } = process.env;
// An IPv6 address can have brackets, as in a URL.
const name = HOST.replace(/^\[(.+)\]$/, '$1');
const host = ['', '0.0.0.0', '::'].includes(name) ? '127.0.0.1' : name;
const path = PUBLIC_URL ? new URL(PUBLIC_URL).pathname.replace(/\/$/, '') : '';
// The certificate has the public name of the service, not the address of this machine, so the name is not checked.
const options = { host, port: Number(PORT), path: `${path}/readyz`, timeout: 4_000, rejectUnauthorized: false };
const request = (TLS_CERT ? https : http).get(options, (response) => {
  response.resume();
  response.on('end', () => end(response.statusCode === 200, `${options.path} answered ${response.statusCode}`));
});
request.on('timeout', () => request.destroy(new Error('no answer within 4 seconds')));
request.on('error', (error) => end(false, error.message));

function end(isReady, sentence) {
  console.log(sentence);
  process.exit(isReady ? 0 : 1);
}
