import type { VersionField } from '#shared/agent-versions';

/** What the fields of an agent are called, in the order of its form. */
export const fieldNames: readonly { field: VersionField; name: string }[] = [
  { field: 'name', name: 'Agent Name' },
  { field: 'companyName', name: 'Company Name' },
  { field: 'personality', name: 'Personality' },
  { field: 'companyInfo', name: 'Company Information' },
  { field: 'greeting', name: 'Greeting' },
  { field: 'goodbye', name: 'Goodbye' },
  { field: 'answers', name: 'Fixed answers' },
  { field: 'neverSay', name: 'Words it never says' },
  { field: 'handOverWhen', name: 'When a colleague takes over' },
  { field: 'prompts', name: 'Prompts' },
  { field: 'language', name: 'Language' },
  { field: 'masks', name: 'What is left out' },
  { field: 'documents', name: 'Documents' },
  { field: 'actions', name: 'Actions' },
];
