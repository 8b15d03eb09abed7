import type { ActionForm } from '#ui/form/useActionForm.ts';
import type { addMUser } from '#features/muser/muser.contract.ts';
import type { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';

/** The form of a new or of an existing institution. */
export type InstitutionForm = ActionForm<typeof addMUser> | ActionForm<typeof updateMUser>;
