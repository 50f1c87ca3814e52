// The TypeScript compiler emits only code: copies the other files that the server reads at run time
// (migrations, the demo company, the sentiment model) to the same places.
import { cpSync, statSync } from 'node:fs';

for (const folder of ['server', 'shared'])
  cpSync(folder, `dist/${folder}`, {
    recursive: true,
    filter: (path) => statSync(path).isDirectory() || !path.endsWith('.ts'),
  });
