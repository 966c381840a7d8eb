/**
 * Says why the action of a job is not possible for its order or ticket. Few users see this text, so it loads on demand.
 */
import { lazy } from '../ui/lazy.tsx';

export const Blocked = lazy(async () => (await import('./blocked-part.tsx')).Blocked);
