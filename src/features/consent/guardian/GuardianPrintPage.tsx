import { Button, Group, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from '#ui/router/router.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getGuardianClassList, getGuardianClassMembers } from '#features/consent/guardian/guardian.contract.ts';
import classes from '#features/consent/guardian/print.module.css';

/** 打印家长二维码: a slip for each child of a class with the parents' QR code of this child, to cut apart and to hand out. */
export default function GuardianPrintPage() {
  const { teamcode = '' } = useParams();
  const [isPendingOnly, setIsPendingOnly] = useState(true);
  const list = useActionQuery(getGuardianClassList, {});
  const members = useActionQuery(getGuardianClassMembers, { teamcode });
  const teamname = list.data?.classes.find((row) => row.teamcode === teamcode)?.teamname ?? '';
  return (
    <div className={classes['sheets']}>
      <Loaded read={list} skeleton={<Skeletons.Page />}>
        {({ clientcode, link }) => (
          <Loaded read={members} skeleton={<Skeletons.Page />}>
            {(rows) => {
              const shown = isPendingOnly ? rows.filter(({ state }) => state === 'pending') : rows;
              return (
                <>
                  <Group justify="space-between" gap="sm" className={classes['bar'] ?? ''}>
                    <div>
                      <Text fw={600}>{teamname}家长二维码</Text>
                      <Text size="sm" c="dimmed">
                        共 {shown.length} 张，沿虚线剪开，装进信封交给各家；不要张贴或发到群里。
                      </Text>
                    </div>
                    <Group gap="sm">
                      <Switch
                        label="只印未表态的"
                        checked={isPendingOnly}
                        onChange={(event) => setIsPendingOnly(event.currentTarget.checked)}
                      />
                      <Button variant="default" component={Link} to="/task/guardianConsent">
                        返回监护人同意
                      </Button>
                      <Button disabled={!clientcode || shown.length === 0} onClick={() => window.print()}>
                        打印
                      </Button>
                    </Group>
                  </Group>
                  {!clientcode ? (
                    <EmptyState title="本机构还没有作答入口" hint="请先在机构管理中开通" />
                  ) : shown.length === 0 ? (
                    <EmptyState title="没有要打印的" hint="这个班的家长都已表态，或不需要监护人同意" />
                  ) : (
                    <ul className={classes['cards']}>
                      {shown.map(({ cuserid, label, child }) => (
                        <li key={cuserid} className={classes['card']}>
                          <img src={`/qr/${clientcode}.svg?parent=${teamcode}&child=${child}`} alt={`${label}的家长二维码`} />
                          <h2>{label}的家长</h2>
                          <p>
                            {teamname}
                            。学校将开展心理健康筛查，请扫码阅读说明，并选择是否同意孩子参加。核对时填写学校登记的电话，或孩子的出生日期。
                          </p>
                          <p className={classes['address']}>
                            {link}
                            {teamcode}/{child}
                          </p>
                        </li>
                      ))}
                    </ul>
                  )}
                </>
              );
            }}
          </Loaded>
        )}
      </Loaded>
    </div>
  );
}
