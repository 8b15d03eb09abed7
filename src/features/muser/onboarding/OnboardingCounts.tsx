import { Alert, Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { Loaded } from '#ui/feedback/states.tsx';
import { Can } from '#ui/api/Can.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getMUserAssessCount, grantMUserAssessCount } from '#features/assesscount/wallet.contract.ts';
import { GrantDialog, WalletFacts } from '#features/muser/GrantDialog.tsx';
import type { MUserRow } from '#features/muser/muser.contract.ts';

/** The step of counts: shows the wallets of the institution and grants its first counts. */
export function OnboardingCounts({ row }: { row: MUserRow }) {
  const [isGrantOpen, setIsGrantOpen] = useState(false);
  const read = useActionQuery(getMUserAssessCount, { musercode: row.musercode });
  return (
    <Loaded read={read}>
      {({ wallets }) => (
        <Stack gap="md">
          {wallets.length > 0 ? (
            <WalletFacts wallets={wallets} />
          ) : (
            <Alert color="yellow">
              {row.musertype === '002'
                ? '还没有发放次数，服务商不能给它的机构发放。可以现在发放，也可以先继续开通，以后在“服务商管理”中发放。'
                : '还没有发放次数，机构不能授权或创建任务。可以现在发放，也可以先继续开通，以后在“机构管理”中发放。'}
            </Alert>
          )}
          <Can call={grantMUserAssessCount}>
            <Group>
              <Button variant={wallets.length > 0 ? 'default' : 'filled'} onClick={() => setIsGrantOpen(true)}>
                发放次数
              </Button>
            </Group>
          </Can>
          {isGrantOpen && <GrantDialog row={row} onClose={() => setIsGrantOpen(false)} />}
        </Stack>
      )}
    </Loaded>
  );
}
