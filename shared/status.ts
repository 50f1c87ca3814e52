import { z } from 'zod';

/**
 * How an engine stands, in words a person can read.
 * `progress` (0 to 1) is there while weights are being fetched.
 */
export const engineStatusSchema = z.object({
  state: z.enum(['fetching', 'loading', 'ready', 'failed']),
  progress: z.number().min(0).max(1).optional(),
  /** One sentence: what it does, waits for, or what went wrong and what to do. */
  message: z.string(),
});
export type EngineStatus = z.infer<typeof engineStatusSchema>;

/** Answer of GET /api/status: which brain and voice answer on this server, which ears listen, and what it keeps. */
export const serverStatusSchema = z.object({
  brain: z.object({ name: z.string(), kind: z.enum(['grounded', 'model']), status: engineStatusSchema }),
  voice: z.object({ name: z.string(), status: engineStatusSchema }),
  ears: z.object({ name: z.string(), status: engineStatusSchema }),
  /** What the operator settled for everybody. */
  policy: z.object({
    /** Days after its last word that a conversation is deleted; null: only when somebody deletes it. */
    retentionDays: z.number().nullable(),
    /** Nothing that is said leaves the server: browsers' own recognition is not used. */
    audioStaysHere: z.boolean(),
  }),
});
export type ServerStatus = z.infer<typeof serverStatusSchema>;
