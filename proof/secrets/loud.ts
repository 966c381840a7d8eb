/**
 * Loaded before the service (`--import`): makes the log repeat the bodies of requests. It is not part of the product.
 */
import { IncomingMessage } from 'node:http';

const push: unknown = Reflect.get(IncomingMessage.prototype, 'push');
IncomingMessage.prototype.push = function (this: IncomingMessage, chunk: unknown, encoding?: BufferEncoding) {
  if (Buffer.isBuffer(chunk)) process.stdout.write(chunk);
  return Reflect.apply(push as CallableFunction, this, [chunk, encoding]) as boolean;
};
