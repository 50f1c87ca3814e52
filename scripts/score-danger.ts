// Scores unseen sentences with the danger model, as a call does:
//     npm run score:danger -- sentences.json [--mistakes]
// The file holds [{ "text": "…", "isDanger": true }, …].
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { z } from 'zod';
import { dangerOf } from '#server/dialogue/manners/danger';
import { createReading } from '#server/engines/reading/index';
import { packOf } from '#server/languages/index';

const [path] = process.argv.slice(2);
if (!path) {
  console.error('Say where the sentences are: npm run score:danger -- sentences.json');
  process.exit(1);
}
const sentences = z
  .array(z.object({ text: z.string(), isDanger: z.boolean() }))
  .parse(JSON.parse(readFileSync(path, 'utf8')));

const reading = createReading();
// Waits until the model is loaded.
await reading.embed([''], { urgency: 'index' });
const agent = {
  id: 'score',
  revision: '1',
  language: 'en',
  name: 'Ada',
  companyName: 'Linden House',
  personality: 'Plain',
  companyInfo: '',
  prompts: [],
};
const judged: { text: string; isDanger: boolean; found: string | null }[] = [];
for (const { text, isDanger } of sentences) {
  const message = packOf('en').messages.read(text);
  const found = await dangerOf(
    { reading, readingEnds: null },
    { agent, text },
    message,
    AbortSignal.timeout(60_000),
  );
  judged.push({ text, isDanger, found });
}
await reading.close();

const dangerous = judged.filter(({ isDanger }) => isDanger);
const others = judged.filter(({ isDanger }) => !isDanger);
const found = dangerous.filter(({ found }) => found !== null).length;
const alarms = others.filter(({ found }) => found !== null).length;
console.log(`found ${found} of ${dangerous.length} (${(found / dangerous.length).toFixed(3)})`);
console.log(`false alarms ${alarms} of ${others.length} (${(alarms / others.length).toFixed(3)})`);
if (process.argv.includes('--mistakes'))
  for (const { text, isDanger, found } of judged)
    if (isDanger !== (found !== null)) console.log(`  ${isDanger ? 'missed' : `alarm (${found})`}: ${text}`);
