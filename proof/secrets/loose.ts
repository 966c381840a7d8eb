/**
 * Loaded before the service and before commands (`--import`): makes SQLite keep overwritten data in the file and in its
 * log. This file is not part of the product.
 */
import Database from 'better-sqlite3';

const pragma: unknown = Reflect.get(Database.prototype, 'pragma');
Database.prototype.pragma = function (this: Database.Database, text: string, options?: Database.PragmaOptions) {
  const loosened = text.replace('secure_delete = ON', 'secure_delete = OFF');
  return Reflect.apply(pragma as CallableFunction, this, [loosened, options]) as unknown;
};
