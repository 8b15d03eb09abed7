import type { ActionForm } from '#ui/form/useActionForm.ts';
import type { addMUser } from '#features/muser/muser.contract.ts';
import type { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';

/** A form over opening an institution or changing one. */
export type InstitutionForm = ActionForm<typeof addMUser> | ActionForm<typeof updateMUser>;
