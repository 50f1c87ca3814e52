import { ScansService } from '#server/features/scans/service';

/** File handling of a server without a scanner. */
export const unscanned = new ScansService({ antivirus: null, onMalicious() {}, emailOf: async () => '' });
