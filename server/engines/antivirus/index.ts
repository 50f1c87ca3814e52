import type { Config } from '#server/settings/config';
import type { Logger } from '#server/telemetry/logger';
import { createClamd } from './clamd.ts';
import type { Antivirus } from './contract.ts';

/** The scanner that the settings name; null means nothing is scanned. */
export const createAntivirus = (
  { antivirus }: Pick<Config, 'antivirus'>,
  { logger }: { logger: Pick<Logger, 'info' | 'warn'> },
): Antivirus | null => (antivirus ? createClamd({ address: antivirus, logger }) : null);
