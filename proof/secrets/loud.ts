/** Loaded before the service (`--import`): its log then repeats what requests bring. Nothing of it is in the product. */
import { IncomingMessage } from 'node:http';

const push: unknown = Reflect.get(IncomingMessage.prototype, 'push');
IncomingMessage.prototype.push = function (this: IncomingMessage, chunk: unknown, encoding?: BufferEncoding) {
  if (Buffer.isBuffer(chunk)) process.stdout.write(chunk);
  return Reflect.apply(push as CallableFunction, this, [chunk, encoding]) as boolean;
};
