// The TypeScript compiler emits code only: this puts the files the server reads at run time beside it.
import { cpSync } from 'node:fs';

for (const path of ['server/database/migrations', 'server/features/agents/demo-company.md'])
  cpSync(path, `dist/${path}`, { recursive: true });
