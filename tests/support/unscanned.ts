import { ScansService } from '#server/features/scans/service';

/** Files as a server without a scanner takes them. */
export const unscanned = new ScansService({ antivirus: null, onMalicious() {}, emailOf: async () => '' });
