import { Alert, Button, Drawer, Group, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { GrantStatus } from '#domain/base/enums.ts';
import type { ResponseOf } from '#contract/action.ts';
import { handDeviceTo } from '#ui/api/handOver.ts';
import { can, useUser } from '#ui/api/session.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { SelectField } from '#ui/form/fields.tsx';
import { PersonLine } from '#blocks/person/PersonLine.tsx';
import { useStageOptions } from '#blocks/person/archiveColumns.tsx';
import { getCUserArchivePageList } from '#features/archive/archive.contract.ts';
import { getCUserPlan, getCUserStagesAssessCount } from '#features/assesscount/authorizations/authorize.contract.ts';
import { anyPlan, getMUserAssessCount } from '#features/assesscount/wallet.contract.ts';
import { insertKioskCode, insertTestLink } from '#features/assess/assess.contract.ts';
import { CodeResult, LinkResult } from '#blocks/testlink/TestResult.tsx';
import { getMUserExamPlanPage } from '#features/plan/plan.contract.ts';

const WAYS = [
  { value: '02', label: '链接/二维码', hint: '用受测者自己的手机作答；7 天内有效，交卷后失效' },
  { value: '01', label: '本机', hint: '把这台设备交给受测者；管理端会先退出，回来时需要重新登录' },
  { value: '03', label: '4 位码', hint: '在已配对的自助机上输入；15 分钟内有效，只能用一次' },
] as const;
type Way = (typeof WAYS)[number]['value'];
type Plans = ResponseOf<typeof getMUserExamPlanPage>['rows'];
type Grants = ResponseOf<typeof getCUserPlan>;
export interface Tested {
  cuserid: string;
  username: string;
  appid: string;
  /** the stage proposed for today; '' without one */
  stagecode: string;
  gender?: string;
  age?: number | null;
  belongs?: string;
  insname?: string;
  archiveno?: string;
}

/** 立即测评: chooses the plan and hands the test to one person: a link, this device, or a code for a kiosk. */
export function TestNowDrawer({ row, onClose }: { row: Tested; onClose: () => void }) {
  const { cuserid, appid } = row;
  const plans = useActionQuery(getMUserExamPlanPage, {
    page: 1,
    pageSize: 200,
    appid,
    status: 1,
    orderby: 'planname',
    isasc: '1',
  });
  const grants = useActionQuery(getCUserPlan, { cuserid });
  return (
    <Drawer opened onClose={onClose} position="right" title={`立即测评：${row.username}`} size="min(520px, 100vw)">
      <PersonLine person={row} number={['档案号', row.archiveno ?? '']} mb="md" />
      <Loaded read={plans} skeleton={<Skeletons.Lines />}>
        {({ rows }) => (
          <Loaded read={grants} skeleton={<Skeletons.Lines />}>
            {(given) => <Choice row={row} plans={rows} grants={given} onClose={onClose} />}
          </Loaded>
        )}
      </Loaded>
    </Drawer>
  );
}

/** The plan that the drawer chooses first: one of the proposed stage, else the last one of the person, else the only one. */
function firstPlan(plans: Plans, grants: Grants, stagecode: string): string | undefined {
  const ofStage = plans.filter((plan) => stagecode && plan.stages.some((stage) => stage.stagecode === stagecode));
  const isUsable = (plancode: string, list: Plans) => list.some((plan) => plan.plancode === plancode);
  const lastUsed = (list: Plans) => grants.find((grant) => isUsable(grant.plancode, list))?.plancode;
  return lastUsed(ofStage) ?? ofStage[0]?.plancode ?? lastUsed(plans) ?? (plans.length === 1 ? plans[0]?.plancode : undefined);
}

function Choice({ row, plans, grants, onClose }: { row: Tested; plans: Plans; grants: Grants; onClose: () => void }) {
  const { cuserid } = row;
  const { musertype } = useUser();
  const [plancode, setPlancode] = useState(firstPlan(plans, grants, row.stagecode));
  const plan = plans.find((item) => item.plancode === plancode);
  const [chosenStage, setChosenStage] = useState<string | null | undefined>(undefined);
  // A plan without stages of its own serves every stage of its population.
  const all = useStageOptions(row.appid);
  const own = (plan?.stages ?? []).map((stage) => ({ value: stage.stagecode, label: stage.stagename }));
  const stages = own.length > 0 ? own : all;
  const proposed = stages.some((stage) => stage.value === row.stagecode) ? row.stagecode : null;
  const stagecode = chosenStage === undefined ? proposed : chosenStage;
  const [way, setWay] = useState<Way>('02');
  const invalidates = [getCUserPlan, getCUserStagesAssessCount, getMUserAssessCount, getCUserArchivePageList];
  const link = useActionMutation(insertTestLink, {
    invalidates,
    onDone: (made) => {
      const address = new URL(made.link);
      if (made.picture === '') void handDeviceTo(address.pathname + address.hash);
    },
  });
  const code = useActionMutation(insertKioskCode, { invalidates });
  if (link.data?.picture) return <LinkResult made={link.data} onClose={onClose} />;
  if (code.data) return <CodeResult made={code.data} onClose={onClose} />;
  const isAuthorised = grants.some(
    (grant) =>
      grant.plancode === plancode &&
      (grant.stagecode ?? '') === (stagecode ?? '') &&
      grant.status === GrantStatus.live &&
      grant.taskname === '' &&
      grant.frozen > 0,
  );
  const target = { cuserid, plancode: plancode ?? '', stagecode };
  return (
    <Stack gap="md">
      <SelectField
        label="方案"
        required
        clearable={false}
        value={plancode}
        options={plans.map((item) => ({ value: item.plancode, label: `${item.planname}（约 ${item.minutes} 分钟）` }))}
        onChange={((next: string) => (setPlancode(next), setChosenStage(undefined))) as never}
      />
      <SelectField
        label="阶段"
        clearable
        placeholder="不分阶段"
        value={stagecode}
        options={stages}
        onChange={setChosenStage as never}
      />
      <Radio.Group label="作答方式" value={way} onChange={(next) => setWay(next as Way)}>
        <Stack gap="xs" mt={6}>
          {WAYS.map(({ value, label, hint }) => (
            <Radio key={value} value={value} label={label} description={hint} />
          ))}
        </Stack>
      </Radio.Group>
      {plancode && <CountsLeft plancode={plancode} isAuthorised={isAuthorised} isShown={musertype !== '002'} />}
      <Text size="xs" c="dimmed">
        次数在授权时冻结，受测者第一次有效交卷时使用；没有作答的可以在“授权”中清空，次数退回机构。
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          取消
        </Button>
        <Button
          disabled={!plancode}
          loading={link.isPending || code.isPending}
          onClick={() => (way === '03' ? code.mutate(target) : link.mutate({ ...target, way }))}
        >
          {way === '01' ? '退出管理端并开始' : way === '02' ? '生成二维码' : '生成 4 位码'}
        </Button>
      </Group>
    </Stack>
  );
}

/** The counts that the institution has for the plan, and whether this test freezes one. */
function CountsLeft({ plancode, isAuthorised, isShown }: { plancode: string; isAuthorised: boolean; isShown: boolean }) {
  const wallet = useActionQuery(getMUserAssessCount, isShown && can(getMUserAssessCount) ? {} : undefined);
  if (isAuthorised)
    return (
      <Alert color="blue" variant="light">
        已有这个方案的授权，不另外冻结次数
      </Alert>
    );
  if (!wallet.data) return null;
  const usable = wallet.data.wallets.filter(
    (item) => item.expiring < 2 && (item.plancode === anyPlan || item.plancode === plancode),
  );
  const free = Math.max(0, ...usable.map((item) => item.free));
  return (
    <Alert color={free < 1 ? 'red' : 'blue'} variant="light">
      需要冻结 1 次，本机构剩余 {free} 次{free < 1 ? '，次数不足，请联系服务商' : ''}
    </Alert>
  );
}
