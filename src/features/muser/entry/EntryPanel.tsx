import { Alert, Button, Group, Select, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { IconDownload, IconRefresh } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import { LongTextField, SelectField, SwitchField } from '#ui/form/fields.tsx';
import { Can } from '#ui/api/Can.tsx';
import { notify } from '#ui/feedback/notify.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { save } from '#ui/api/transfer.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { ConflictNotice } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import {
  createMUserClient,
  getMUserClient,
  loginmodes,
  loginmodeLabels,
  resetQrCode,
  updateMUserClient,
} from '#features/muser/entry/entry.contract.ts';
import { ConsentSettings } from '#blocks/consent/ConsentSettings.tsx';
import { saveConsentSettings } from '#features/consent/settings/settings.contract.ts';
import { getMUserPageList } from '#features/muser/muser.contract.ts';
import { qrPicture } from '#features/muser/paths.ts';
import { getMUserExamPlanPage } from '#features/plan/plan.contract.ts';
import classes from '#features/muser/muser.module.css';

interface InstitutionRef {
  musercode: string;
  insname: string;
}
const modes = loginmodes.map((value) => ({ value, label: loginmodeLabels[value] }));
const affected = [getMUserClient, getMUserPageList];

/** Shows the QR code of an institution with its settings; without an entry, the form that creates one. */
export function EntryPanel(institution: InstitutionRef) {
  const read = useActionQuery(getMUserClient, { musercode: institution.musercode });
  return (
    <Loaded read={read} skeleton={<Skeletons.Form count={4} />}>
      {(client) =>
        client ? (
          <Stack gap="lg">
            <QrCode clientcode={client.clientcode} {...institution} />
            <Settings key={client.clientcode} client={client} musercode={institution.musercode} />
            <Can call={saveConsentSettings}>
              <ConsentSettings musercode={institution.musercode} />
            </Can>
          </Stack>
        ) : (
          <NewEntry {...institution} />
        )
      }
    </Loaded>
  );
}

function QrCode({ clientcode, musercode, insname }: InstitutionRef & { clientcode: string }) {
  const [size, setSize] = useState<200 | 400>(200);
  const reset = useActionMutation(resetQrCode, { invalidates: affected, successMessage: '二维码已重置' });
  const fetchPicture = async () => {
    const response = await fetch(qrPicture(clientcode, size)).catch(() => undefined);
    if (response?.ok) save(await response.blob(), `${insname}_${clientcode}.png`);
    else notify.error('下载文件出现错误，请联系管理员！');
  };
  return (
    <Stack align="center" gap="sm">
      <SegmentedControl
        size="xs"
        value={String(size)}
        onChange={(next) => setSize(next === '400' ? 400 : 200)}
        data={[
          { value: '200', label: '200 × 200' },
          { value: '400', label: '400 × 400' },
        ]}
        aria-label="二维码尺寸"
      />
      <img className={classes['qr']} src={qrPicture(clientcode, size)} width={size} height={size} alt={`${insname}的二维码`} />
      <Text size="xs" c="dimmed" ta="center" style={{ wordBreak: 'break-all' }}>
        {location.origin}/c/{clientcode}
      </Text>
      <Group>
        <Button size="xs" leftSection={<IconDownload size={14} aria-hidden />} onClick={() => void fetchPicture()}>
          下载
        </Button>
        <Can call={resetQrCode}>
          <ConfirmButton
            size="xs"
            color="red"
            leftSection={<IconRefresh size={14} aria-hidden />}
            question="重置后旧二维码立即失效，已张贴和发出的都不能再用，需要重新下载张贴。是否重置？"
            onConfirm={() => reset.mutateAsync({ musercode })}
          >
            重置
          </ConfirmButton>
        </Can>
      </Group>
    </Stack>
  );
}

type Client = {
  version: number;
  clientcode: string;
  clienttitle: string;
  loginmode: (typeof loginmodes)[number];
  welcome: string;
  needsignature: number;
  plancode: string | null;
  enabled: number;
};

function Settings({ client, musercode }: { client: Client; musercode: string }) {
  const { clientcode, version, clienttitle, loginmode, welcome, needsignature, plancode, enabled } = client;
  const form = useActionForm(updateMUserClient, {
    initial: { clientcode, version, clienttitle, loginmode, welcome, needsignature, plancode, enabled },
    invalidates: affected,
  });
  return (
    <form ref={form.place} onSubmit={form.submit} noValidate>
      <Stack gap="md">
        <ConflictNotice form={form} />
        <TextInput {...form.field('clienttitle')} />
        <SelectField {...form.field('loginmode')} options={modes} clearable={false} />
        {form.values.loginmode === '04' && (
          <EntryPlan
            musercode={musercode}
            value={(form.values.plancode as string | null) ?? null}
            error={form.error('plancode')}
            onChange={(next) => form.set('plancode', next)}
          />
        )}
        <LongTextField {...form.field('welcome')} maxLength={500} />
        <SwitchField {...form.field('needsignature')} words="作答前手写签名" />
        <SwitchField {...form.field('enabled')} words="入口开放" />
        <Group justify="flex-end">
          <Button type="submit" loading={form.busy} disabled={!form.dirty}>
            保存设置
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function NewEntry({ musercode, insname }: InstitutionRef) {
  const form = useActionForm(createMUserClient, {
    initial: { musercode, clienttitle: `${insname.slice(0, 22)}心理健康测评`, loginmode: '03' },
    invalidates: affected,
    successMessage: '二维码已生成',
  });
  return (
    <form ref={form.place} onSubmit={form.submit} noValidate>
      <Stack gap="md">
        <Alert color="blue">该机构还没有二维码。确定受测者扫码后如何核对身份，即可生成。</Alert>
        <TextInput {...form.field('clienttitle')} />
        <SelectField {...form.field('loginmode')} options={modes} clearable={false} />
        {form.values.loginmode === '04' && (
          <EntryPlan
            musercode={musercode}
            value={(form.values.plancode as string | null) ?? null}
            error={form.error('plancode')}
            onChange={(next) => form.set('plancode', next)}
          />
        )}
        <LongTextField {...form.field('welcome')} maxLength={500} />
        <Group justify="flex-end">
          <Button type="submit" loading={form.busy}>
            生成二维码
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The field for the plan of an entry or of assessment codes. */
export function EntryPlan({
  musercode,
  value,
  error,
  appid,
  onChange,
}: {
  musercode: string;
  value: string | null;
  error?: ReactNode;
  appid?: string;
  onChange: (plancode: string | null) => void;
}) {
  const plans = useActionQuery(getMUserExamPlanPage, {
    page: 1,
    pageSize: 200,
    status: 1,
    musercode,
    ...(appid ? { appid } : {}),
  });
  return (
    <Select
      label="作答方案"
      required
      searchable
      data-path="plancode"
      placeholder={plans.isPending ? '正在加载…' : '请选择方案'}
      error={error}
      data={(plans.data?.rows ?? []).map((plan) => ({ value: plan.plancode, label: plan.planname }))}
      value={value}
      onChange={onChange}
    />
  );
}
