import { Button } from '@mantine/core';
import { IconPhone } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { call } from '#ui/api/call.ts';
import { can, useUser } from '#ui/api/session.ts';
import { notifyError } from '#ui/feedback/notify.ts';
import { revealCUser } from '#features/cuser/cuser.contract.ts';

/** The telephone of the person of a case: the first tap shows the number, which is audited, and the second dials it. */
export function CallPerson({ cuserid }: { cuserid: string }) {
  const { loginasby } = useUser();
  const [phone, setPhone] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const link = useRef<HTMLAnchorElement>(null);
  // The button gives way to the link, which takes the focus over.
  useEffect(() => link.current?.focus(), [phone]);
  if (!can(revealCUser) || loginasby) return null;
  const show = () => {
    setIsBusy(true);
    call(revealCUser, { cuserid })
      .then(({ phonenumber }) => setPhone(phonenumber), notifyError)
      .finally(() => setIsBusy(false));
  };
  const icon = <IconPhone size={16} aria-hidden />;
  if (phone)
    return (
      <Button ref={link} component="a" href={`tel:${phone}`} leftSection={icon}>
        拨打 {phone}
      </Button>
    );
  return (
    <Button variant="default" leftSection={icon} loading={isBusy} disabled={phone === ''} title="将留下查看记录" onClick={show}>
      {phone === '' ? '本人未登记电话' : '本人电话'}
    </Button>
  );
}
