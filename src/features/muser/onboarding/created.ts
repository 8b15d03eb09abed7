import type { CopiedSetup } from '#features/muser/muser.contract.ts';

/** What only the response of the creation says, by institution: the first password and the copied settings. Only in memory. */
export const createdInstitutions = new Map<string, { onetime?: string | undefined; copied?: CopiedSetup | undefined }>();
