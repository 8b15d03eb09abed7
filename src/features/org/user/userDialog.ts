import type { UserRow } from '#features/org/user/user.contract.ts';

/** What 用户管理 does with the selected users. */
export type BatchAct = 'enable' | 'disable' | 'dept' | 'roles';

/** The dialog that 用户管理 shows. */
export type UserDialog =
  | { kind: 'detail' | 'edit' | 'sessions' | 'rights' | 'absence' | 'handover'; user: UserRow }
  | { kind: 'new' | 'import' }
  | { kind: 'created'; user: { name: string; loginname: string; secret: string; validuntil: string } }
  | { kind: 'leave'; user: Pick<UserRow, 'userid' | 'realname'>; mode: 'disable' | 'delete' }
  | { kind: 'reset'; users: readonly UserRow[] }
  | { kind: 'batch'; act: BatchAct; users: readonly UserRow[] };
