import { z } from 'zod';

/**
 * How an engine stands, in words a person can read.
 * `progress` (0 to 1) is there while weights are being fetched.
 */
const engineStatusSchema = z.object({
  state: z.enum(['fetching', 'loading', 'ready', 'failed']),
  progress: z.number().min(0).max(1).optional(),
  /** One sentence: what it does, waits for, or what went wrong and what to do. */
  message: z.string(),
});
export type EngineStatus = z.infer<typeof engineStatusSchema>;

/** Answer of GET /api/status: which brain and voice answer on this server, and which ears listen. */
export const serverStatusSchema = z.object({
  brain: z.object({ name: z.string(), kind: z.enum(['grounded', 'model']), status: engineStatusSchema }),
  voice: z.object({ name: z.string(), status: engineStatusSchema }),
  ears: z.object({ name: z.string(), status: engineStatusSchema }),
});
export type ServerStatus = z.infer<typeof serverStatusSchema>;
