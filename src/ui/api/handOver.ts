/** Signs the account out and loads a page without it. The console sets it, because it knows what it stored. */
type HandOver = (address: string) => Promise<void>;
let handOver: HandOver | undefined;
export const onHandOver = (leave: HandOver): void => void (handOver = leave);

/** Hands this device to a respondent: signs out, so that returning needs the password, and opens the address. */
export async function handDeviceTo(address: string): Promise<void> {
  await handOver?.(address);
}
