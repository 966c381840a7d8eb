/**
 * Pools of connections to test databases are kept after their store closes. A new connection reads the catalog of its
 * database and prepares every statement again, which takes longer than most tests.
 */
import pg from 'pg';

/** Databases whose pools are kept. */
const kept = new Set<string>();
/** Pools that no store uses, by their settings. */
const idle = new Map<string, KeptPool>();
let isPatched = false;

class KeptPool extends pg.Pool {
  readonly key: string;
  readonly url: string | undefined;

  constructor(settings: pg.PoolConfig) {
    super(settings);
    this.key = JSON.stringify(settings);
    this.url = settings.connectionString;
  }

  /**
   * Keeps the pool for the next store with the same settings if its database is kept. Ends the pool if a connection of
   * it is in use, or if another idle pool has these settings.
   */
  override async end(): Promise<void> {
    const isKept = this.url !== undefined && kept.has(this.url) && !idle.has(this.key);
    if (!isKept || this.totalCount !== this.idleCount) return super.end();
    idle.set(this.key, this);
  }
}

/**
 * Returns the idle pool with these settings, without the listeners of the previous store; undefined if none is idle.
 */
function take(settings: pg.PoolConfig): KeptPool | undefined {
  const key = JSON.stringify(settings);
  const pool = idle.get(key);
  idle.delete(key);
  pool?.removeAllListeners();
  return pool;
}

/** Keeps the pools of a database when their stores close. */
export function keepPools(url: string): void {
  if (!isPatched) {
    isPatched = true;
    const construct = (_: unknown, [settings]: [pg.PoolConfig]) => take(settings) ?? new KeptPool(settings);
    pg.Pool = new Proxy<typeof pg.Pool>(pg.Pool, { construct });
  }
  kept.add(url);
}

/** Ends the idle pools of a database. From then on, its other pools end with their stores. */
export async function endPools(url: string): Promise<void> {
  kept.delete(url);
  const pools = [...idle.values()].filter((pool) => pool.url === url);
  for (const pool of pools) {
    idle.delete(pool.key);
    await pool.end();
  }
}
