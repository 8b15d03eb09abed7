import { Avatar, UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { shownName } from '#domain/access.ts';
import { later } from '#ui/later.tsx';
import { useUser } from '#ui/session.ts';
import { usePopup } from '#ui/usePopup.ts';
import type { ShellSettings } from '#console/shell/settings.ts';
import classes from './Shell.module.css';

const AccountItems = later(() => import('#console/shell/AccountItems.tsx').then((file) => file.AccountItems));
const ChangePassword = later(() => import('#console/shell/ChangePassword.tsx').then((file) => file.ChangePassword));
const QrDialog = later(() => import('#console/shell/QrDialog.tsx').then((file) => file.QrDialog));

/** What an account can do about itself. */
export function AccountMenu({ settings }: { settings: ShellSettings }) {
  const user = useUser();
  const [dialog, setDialog] = useState<'password' | 'qr'>();
  const { button, popup } = usePopup('menu', AccountItems.warm);
  const name = shownName(user);
  return (
    <>
      <UnstyledButton className={classes['account'] ?? ''} aria-label={`账号 ${name}`} {...button}>
        <Avatar size={30} radius="xl" color="brand" variant="light" aria-hidden>
          {(user.realname || name).slice(0, 1)}
        </Avatar>
        <span className={classes['accountname']}>{name}</span>
        <IconChevronDown size={14} aria-hidden />
      </UnstyledButton>
      {popup && <AccountItems {...popup} settings={settings} setDialog={setDialog} />}
      {dialog === 'password' && <ChangePassword onClose={() => setDialog(undefined)} />}
      {dialog === 'qr' && <QrDialog onClose={() => setDialog(undefined)} />}
    </>
  );
}
