import { Alert, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { csvOf } from '#ui/display/csv.ts';
import { save } from '#ui/api/transfer.ts';
import classes from '#features/org/org.module.css';

interface Secrets {
  created: readonly { realname: string; sysusername: string; onetime: string }[];
  validuntil: string;
}

/** Saves the passwords of a response as one file for Excel. */
export function downloadOneTimePasswords({ created, validuntil }: Secrets): void {
  const lines = created.map((item) => [item.realname, item.sysusername, item.onetime, validuntil]);
  save(csvOf([['姓名', '登录账号', '一次性初始密码', '有效期至'], ...lines]), '初始密码.csv');
}

/** Lists one-time passwords with the warning that they appear this once. A list may have thousands; only visible rows are rendered. */
export function OneTimePasswordList({ created, validuntil }: Secrets) {
  const frame = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: created.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 40,
    overscan: 8,
  });
  const items = virtualizer.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <>
      <Alert color="orange" variant="light" icon={<IconKey size={18} />}>
        以下初始密码只显示这一次，系统不保存，请立即下载并逐个交给本人。每个密码只能登录一次，
        <span style={{ whiteSpace: 'nowrap' }}>{validuntil} 前有效</span>，登录后须修改。
      </Alert>
      <div ref={frame} className={classes['secrets']} tabIndex={0} role="region" aria-label="初始密码">
        <table className={classes['table']} aria-rowcount={created.length}>
          <thead>
            <tr>
              <th scope="col">姓名</th>
              <th scope="col">登录账号</th>
              <th scope="col">一次性初始密码</th>
            </tr>
          </thead>
          <tbody>
            {above > 0 && <Spacer height={above} />}
            {items.map((item) => {
              const user = created[item.index];
              return (
                user && (
                  <tr key={user.sysusername} style={{ height: 40 }}>
                    <td>{user.realname}</td>
                    <td>{user.sysusername}</td>
                    <td>
                      <Text span ff="monospace">
                        {user.onetime}
                      </Text>
                    </td>
                  </tr>
                )
              );
            })}
            {below > 0 && <Spacer height={below} />}
          </tbody>
        </table>
      </div>
    </>
  );
}
const Spacer = ({ height }: { height: number }) => (
  <tr aria-hidden>
    <td colSpan={3} style={{ height, padding: 0, border: 0 }} />
  </tr>
);
