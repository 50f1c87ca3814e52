import { join } from 'node:path';
import type { Config } from '#server/settings/config';
import type { MediaStore } from './contract.ts';
import { createFileStore } from './files.ts';
import { createS3Store } from './s3.ts';

/** The store for recordings: the bucket that the settings name, or files below the data directory. */
export const createMediaStore = ({
  mediaBucket,
  dataDir,
}: Pick<Config, 'mediaBucket' | 'dataDir'>): MediaStore =>
  mediaBucket ? createS3Store(mediaBucket) : createFileStore(join(dataDir, 'recordings'));
