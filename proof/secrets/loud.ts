/**
 * Loaded before the service (`--import`): makes the service log the bodies of requests. This file is not part of the
 * product.
 */
import { IncomingMessage } from 'node:http';

const push: unknown = Reflect.get(IncomingMessage.prototype, 'push');
IncomingMessage.prototype.push = function (this: IncomingMessage, chunk: unknown, encoding?: BufferEncoding) {
  if (Buffer.isBuffer(chunk)) process.stdout.write(chunk);
  return Reflect.apply(push as CallableFunction, this, [chunk, encoding]) as boolean;
};
