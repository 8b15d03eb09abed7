import { Alert, Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { can } from '#ui/api/session.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { SelectField, type Field } from '#ui/form/fields.tsx';
import { LinkResult } from '#blocks/testlink/TestResult.tsx';
import { insertTestLink } from '#features/assess/assess.contract.ts';
import { authorizeCUserPlan } from '#features/assesscount/authorizations/authorize.contract.ts';
import type { FollowUpRow } from '#features/care/care.contract.ts';
import { insertFollowUpRetest } from '#features/care/followup/work.contract.ts';
import { getMUserExamPlanPage } from '#features/plan/plan.contract.ts';

const mayAttach = () => can(authorizeCUserPlan) && can(getMUserExamPlanPage);

/** The choice of the plan of a re-test; nothing for staff who may not authorize persons. */
export function RetestField({ appid, ...field }: Field & { appid: string | undefined }) {
  const plans = useActionQuery(
    getMUserExamPlanPage,
    appid && mayAttach() ? { appid, status: 1, page: 1, pageSize: 200, orderby: 'planname', isasc: '1' } : undefined,
  );
  if (!mayAttach()) return null;
  return (
    <div>
      <SelectField
        {...field}
        label="附带复测"
        required={false}
        placeholder={appid ? '不附带' : '先选择受测者'}
        options={(plans.data?.rows ?? []).map((row) => ({
          value: row.plancode,
          label: `${row.planname}（约 ${row.minutes} 分钟）`,
        }))}
      />
      <Text size="xs" c="dimmed" mt={4}>
        占用 1 次测评次数；本人扫机构二维码作答，交卷后结果自动填入本次随访。
      </Text>
    </div>
  );
}

const STATES = ['', '已发送，待作答', '已完成', '授权已结束，未作答'];

/** The re-test of a waiting follow-up: its state and result, the QR code for the person at hand, or the choice of a plan. */
export function RetestPart({ row }: { row: FollowUpRow }) {
  const [plancode, setPlancode] = useState<string>();
  const [attached, setAttached] = useState<{ plancode: string; planname: string }>();
  const link = useActionMutation(insertTestLink, {});
  const attach = useActionMutation(insertFollowUpRetest, { successMessage: '已附带复测', onDone: setAttached });
  const plan = attached ?? (row.retestplan ? { plancode: row.retestplan, planname: row.retestplanname } : undefined);
  const state = attached ? 1 : row.reteststate;
  const hasPlan = plan !== undefined && state !== 3;
  return (
    <>
      {plan && (
        <Alert variant="light" color={state === 2 ? 'green' : 'blue'} p="xs" role="status">
          <Group gap="xs" justify="space-between">
            <span>
              复测《{plan.planname}》：{STATES[state]}
              {state === 2 && row.retest && ` · ${row.retest}`}
            </span>
            {state === 1 && can(insertTestLink) && (
              <Button
                size="compact-sm"
                loading={link.isPending}
                onClick={() => link.mutate({ cuserid: row.cuserid, plancode: plan.plancode, way: '02' })}
              >
                二维码
              </Button>
            )}
          </Group>
        </Alert>
      )}
      {!hasPlan && mayAttach() && (
        <Group align="flex-start" wrap="nowrap">
          <div style={{ flex: 1 }}>
            <RetestField appid={row.appid} value={plancode} onChange={setPlancode as never} />
          </div>
          <Button
            mt={25}
            variant="default"
            disabled={!plancode}
            loading={attach.isPending}
            onClick={() => plancode && attach.mutate({ followupid: row.followupid, plancode })}
          >
            发送
          </Button>
        </Group>
      )}
      {link.data && (
        <Modal opened onClose={link.reset} title="扫码复测" size="sm">
          <LinkResult made={link.data} onClose={link.reset} />
        </Modal>
      )}
    </>
  );
}
