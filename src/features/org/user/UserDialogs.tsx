import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import type { RoleRow } from '#features/access/role/role.contract.ts';
import type { UserDialog } from '#features/org/user/userDialog.ts';

const AbsenceDialog = lazyDialog(() => import('#blocks/handover/AbsenceDialog.tsx').then((file) => file.AbsenceDialog));
const HandOverDialog = lazyDialog(() => import('#blocks/handover/HandOverDialog.tsx').then((file) => file.HandOverDialog));
const LeaveDialog = lazyDialog(() => import('#blocks/handover/LeaveDialog.tsx').then((file) => file.LeaveDialog));
const OneTimePassword = lazyDialog(() => import('#blocks/file/OneTimePassword.tsx').then((file) => file.OneTimePassword));
const ResetPasswords = lazyDialog(() => import('#features/org/batch/ResetPasswords.tsx').then((file) => file.ResetPasswords));
const StaffImport = lazyDialog(() => import('#features/org/import/StaffImport.tsx').then((file) => file.StaffImport));
const UserBatch = lazyDialog(() => import('#features/org/batch/UserBatch.tsx').then((file) => file.UserBatch));
const UserDetail = lazyDialog(() => import('#features/org/user/UserDetail.tsx').then((file) => file.UserDetail));
const UserDrawer = lazyDialog(() => import('#features/org/user/UserDrawer.tsx').then((file) => file.UserDrawer));
const UserRights = lazyDialog(() => import('#features/org/user/UserRights.tsx').then((file) => file.UserRights));
const UserSessions = lazyDialog(() => import('#features/org/user/UserSessions.tsx').then((file) => file.UserSessions));

interface Props {
  dialog: UserDialog;
  /** the department that a new user gets first */
  deptid: number | undefined;
  roles: readonly RoleRow[];
  open: (dialog: UserDialog | undefined) => void;
}

/** The open dialog of 用户管理. */
export function UserDialogs({ dialog, deptid, roles, open }: Props) {
  const onClose = () => open(undefined);
  switch (dialog.kind) {
    case 'new':
    case 'edit':
      return (
        <UserDrawer
          row={'user' in dialog ? dialog.user : 'new'}
          deptid={deptid}
          roles={roles}
          onClose={onClose}
          onCreated={(user) => open({ kind: 'created', user })}
        />
      );
    case 'detail':
      return <UserDetail row={dialog.user} open={open} onClose={onClose} />;
    case 'created':
      return <OneTimePassword title="用户已创建" {...dialog.user} onClose={onClose} />;
    case 'sessions':
      return <UserSessions row={dialog.user} onClose={onClose} />;
    case 'rights':
      return <UserRights row={dialog.user} onClose={onClose} />;
    case 'absence':
      return <AbsenceDialog user={dialog.user} onClose={onClose} />;
    case 'handover':
      return <HandOverDialog user={dialog.user} onClose={onClose} />;
    case 'leave':
      return <LeaveDialog user={dialog.user} mode={dialog.mode} onClose={onClose} />;
    case 'reset':
      return <ResetPasswords users={dialog.users} onClose={onClose} />;
    case 'batch':
      return (
        <UserBatch
          act={dialog.act}
          users={dialog.users}
          roles={roles}
          onClose={onClose}
          onHandOver={(user) => open({ kind: 'leave', user, mode: 'disable' })}
        />
      );
    case 'import':
      return <StaffImport onClose={onClose} />;
  }
}
