/**
 * How a column is sealed: its text, each text of a list, every text inside a JSON value, or the texts under some members of it.
 * `own`: the feature seals it itself, bound to column and institution (`FieldCipher`).
 */
export type Sealing = 'text' | 'list' | 'strings' | 'own' | { readonly members: readonly string[] };

/** The sealed columns of all tables (docs/decisions/0103, 0110). `readableColumns.ts` has the others, with reasons. */
export const SEALED_COLUMNS: Readonly<Record<string, Readonly<Record<string, Sealing>>>> = {
  warning: {
    alertmsgs: 'list',
    guardianexempt: 'text',
    exemptalternate: 'text',
    suspectname: 'text',
    plantext: 'text',
    transferto: 'text',
    deathsource: 'text',
    closenote: 'text',
  },
  warninglog: { content: 'text', detail: { members: ['alertmsgs', 'content', 'note', 'reason', 'from', 'to'] } },
  warningconfirm: { content: 'text' },
  secondrequest: { act: 'strings', summary: 'text', answer: 'text' },
  warningduty: { unit: 'text', receipt: 'text', content: 'text', companion: 'text', companionrole: 'text' },
  riskassess: { plantext: 'text', note: 'text', asqskipreason: 'text', lowreason: 'text', asqanswers: 'strings' },
  safetyplan: {
    warningsigns: 'text',
    coping: 'text',
    distractions: 'text',
    importantthings: 'text',
    copies: 'text',
    helpers: { members: ['name', 'relation'] },
    services: { members: ['name', 'phonenumber', 'hours'] },
    means: { members: ['keeper', 'note'] },
  },
  referral: { tohospital: 'text', todept: 'text', reason: 'text', feedback: 'text' },
  followup: { content: 'text' },
  interfere: { content: 'text' },
  returnassess: { hospital: 'text', conditions: 'text', supportplan: 'text' },
  casefile: { deletereason: 'text' },
  casetransfer: { personsealed: 'own' },
  reconcilediff: { settlenote: 'text' },
  supervisionstep: { content: 'text' },
  consult: { answers: 'own', summary: 'own', cancelreason: 'text' },
  consultlog: { content: 'own' },
  consultnote: { note: 'own' },
  examreview: { note: 'text' },
  examrecord: { voidreason: 'text' },
  // Only texts that are no code, number or date (`submission.queries.ts`).
  examform: { answers: { members: [] } },
  examalertanswer: { value: { members: [] } },
  examlateanswer: { value: { members: [] } },
  report: { conclusion: 'text', advice: 'text', aicontent: 'strings' },
  reportversion: { conclusion: 'text', advice: 'text', aicontent: 'strings' },
  reportcorrection: { conclusion: 'text', advice: 'text' },
  aijob: { output: 'strings' },
  sheetmove: { reason: 'text', answer: 'text' },
  anonymization: { reason: 'text', answer: 'text' },
  cusermerge: { reason: 'text', answer: 'text', undoreason: 'text' },
  withdrawal: { reason: 'text' },
  guardianconsent: { codesealed: 'own', remark: 'text' },
  notification: { content: 'text' },
  listview: { name: 'text', state: { members: ['filters'] } },
  cuser: { phonesealed: 'own', idnosealed: 'own', address: 'text' },
  cuserarchive: { summary: 'text', closenote: 'text' },
  guardian: { phonesealed: 'own' },
  sysuser: { remark: 'text' },
  counselloroff: { reason: 'text' },
  legalhold: { reason: 'text', endreason: 'text' },
  teamreport: { aicontent: 'strings' },
  teamreportversion: { aicontent: 'strings' },
  'auth.filekey': { sealed: 'own' },
  noticechannel: { secretsealed: 'own' },
  webhook: { secretsealed: 'own', oldsecretsealed: 'own' },
};

/** Whether an answer is a code, a number or a date: scoring in SQL, statistics and alarms count those, so they stay readable. */
export const isCodedAnswer = (text: string): boolean => /^[\w.:/+-]{0,40}$/.test(text);
