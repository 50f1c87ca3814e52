/** Virus scans. */
export const scans = {
  'document-malicious':
    'This document is malicious ({name}), so nothing of it was kept. Look for viruses where it comes from, and send a clean one.',
  'document-too-large': 'This document is larger than the virus scanner here takes. Send a smaller one.',
  'document-unscanned':
    'Nothing can be scanned for viruses at the moment, so this document was not taken. Please try again in a few minutes.',
  'page-malicious':
    'This page is malicious ({name}), so nothing of it was kept. Look for viruses where it comes from, and send a clean one.',
  'page-too-large': 'This page is larger than the virus scanner here takes. Send a smaller one.',
  'page-unscanned':
    'Nothing can be scanned for viruses at the moment, so this page was not taken. Please try again in a few minutes.',
  'recording-malicious':
    'This recording is malicious ({name}), so nothing of it was kept. Look for viruses where it comes from, and send a clean one.',
  'recording-too-large': 'This recording is larger than the virus scanner here takes. Send a smaller one.',
  'recording-unscanned':
    'Nothing can be scanned for viruses at the moment, so this recording was not taken. Please try again in a few minutes.',
} as const;
