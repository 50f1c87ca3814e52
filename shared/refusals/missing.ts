/** Things that do not exist, or belong to another workspace. */
export const missing = {
  page: 'This page does not exist.',
  action: 'This action does not exist.',
  agent: 'This agent does not exist.',
  contact: 'This contact does not exist.',
  conversation: 'This conversation does not exist.',
  document: 'This document does not exist.',
  invitation: 'This invitation does not exist.',
  member: 'This member does not exist.',
  participant: 'This participant does not exist.',
  question: 'This question does not exist.',
  recording: 'This recording does not exist.',
  reply: 'This reply does not exist.',
  room: 'This room does not exist.',
  session: 'This session does not exist.',
  'sign-in': 'This way to sign in does not exist.',
  version: 'This version does not exist.',
} as const;
