import { Alert, Group, Loader, Text } from '@mantine/core';
import { TextInput } from '@mantine/core';
import { formatNumber } from '#domain/base/number.ts';
import { CountKind } from '#domain/base/enums.ts';
import { Badge } from '#ui/display/badges.tsx';
import { DayField } from '#ui/dates/dateFields.tsx';
import { EnumRadio, NumberField, SelectField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { Facts } from '#ui/display/Section.tsx';
import { can, useUser } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { anyPlan, getMUserAssessCount, grantMUserAssessCount, type WalletRow } from '#features/assesscount/wallet.contract.ts';
import { getMUserPageList } from '#features/muser/muser.contract.ts';
import { getMultipleMUserExamPlanPage } from '#features/plan/plan.contract.ts';

type InstitutionRef = { musercode: string; insname: string };

/** Shows the balance of each wallet in one line. */
export function WalletFacts({ wallets }: { wallets: readonly WalletRow[] }) {
  return (
    <Facts
      facts={wallets.map((wallet) => [
        wallet.planname,
        <span key={wallet.plancode}>
          剩余 {wallet.free} / {wallet.granted} 次
          {wallet.enddate
            ? ` · ${wallet.ending < wallet.free ? `其中 ${formatNumber(wallet.ending)} 次` : ''}至 ${wallet.enddate}`
            : ''}{' '}
          {wallet.low > 0 && <Badge tone={wallet.low === 2 ? 'red' : 'orange'}>{wallet.low === 2 ? '无剩余' : '余量不足'}</Badge>}{' '}
          {wallet.expiring > 0 && (
            <Badge tone={wallet.expiring === 2 ? 'red' : 'orange'}>{wallet.expiring === 2 ? '已到期' : '即将到期'}</Badge>
          )}
        </span>,
      ])}
    />
  );
}

/** Grants counts to an institution or takes free ones back. The platform also corrects wallets. */
export function GrantDialog({ row, onClose }: { row: InstitutionRef; onClose: () => void }) {
  const { musertype } = useUser();
  const isPlatform = musertype === '001';
  const wallets = useActionQuery(getMUserAssessCount, { musercode: row.musercode });
  const ownWallets = useActionQuery(getMUserAssessCount, isPlatform ? undefined : {});
  const plans = useActionQuery(
    getMultipleMUserExamPlanPage,
    can(getMultipleMUserExamPlanPage)
      ? { page: 1, pageSize: 200, musercodes: [row.musercode], status: 1, orderby: 'planname', isasc: '1' }
      : undefined,
    { quiet: true },
  );
  const form = useActionForm(grantMUserAssessCount, {
    initial: { musercode: row.musercode, plancode: anyPlan, kind: CountKind.grant },
    invalidates: [getMUserAssessCount, getMUserPageList],
    successMessage: '已记入台账',
    future: ['enddate'],
    onDone: onClose,
  });
  const { kind } = form.values;
  const kinds = CountKind.options.filter(
    ({ value }) => value === CountKind.grant || value === CountKind.takeBack || (isPlatform && value === CountKind.correction),
  );
  const payingWallets =
    ownWallets.data?.wallets.filter((wallet) => wallet.plancode === anyPlan || wallet.plancode === form.values.plancode) ?? [];
  return (
    <FormDrawer title={`发放次数：${row.insname}`} onClose={onClose} form={form} save="确定">
      {wallets.data ? (
        wallets.data.wallets.length > 0 ? (
          <WalletFacts wallets={wallets.data.wallets} />
        ) : (
          <Text size="sm" c="dimmed">
            该机构还没有次数。
          </Text>
        )
      ) : (
        <Loader size="sm" />
      )}
      {ownWallets.data && kind === CountKind.grant && (
        <Alert color={payingWallets.some((item) => item.free > 0) ? 'blue' : 'yellow'} variant="light">
          从本机构支出，可发放 {formatNumber(Math.max(0, ...payingWallets.map((item) => item.free)))} 次
        </Alert>
      )}
      {/* An institution without a wallet has no counts to take back or to correct. */}
      {(wallets.data?.wallets.length ?? 0) > 0 && (
        <EnumRadio
          {...form.field('kind')}
          of={{ options: kinds }}
          onChange={
            ((next: string) => {
              form.set('kind', next);
              form.set('sign', undefined);
              form.set('enddate', undefined);
            }) as never
          }
        />
      )}
      <SelectField
        {...form.field('plancode')}
        options={[
          { value: anyPlan, label: '不限方案' },
          ...(plans.data?.rows ?? []).map((plan) => ({ value: plan.plancode, label: plan.planname })),
        ]}
        clearable={false}
      />
      <Group grow align="flex-start">
        {kind === CountKind.correction && (
          <SelectField
            {...form.field('sign')}
            value={form.values.sign ?? '+'}
            options={[
              { value: '+', label: '增加' },
              { value: '-', label: '减少' },
            ]}
            clearable={false}
          />
        )}
        <NumberField {...form.field('qty')} min={1} max={1_000_000} suffix=" 次" />
      </Group>
      {kind === CountKind.grant && (
        <>
          <DayField {...form.field('enddate')} />
          <Text size="xs" c="dimmed" mt={-8}>
            只是这次发放的次数的有效期，不改变已有的次数；先到期的先使用。
            {isPlatform ? '不填则长期有效。' : '不填则与支出的次数同时到期，也不能晚于它们。'}
          </Text>
        </>
      )}
      {kind === CountKind.takeBack && (
        <Text size="xs" c="dimmed">
          只能收回未冻结、未使用的次数{isPlatform ? '' : '，且不多于本机构发放的次数'}。
        </Text>
      )}
      <TextInput
        {...form.field('remark')}
        required={kind !== CountKind.grant}
        placeholder={kind === CountKind.grant ? '如合同号' : '请写明原因'}
        maxLength={200}
      />
    </FormDrawer>
  );
}
