/** A scale at the packing table, if the browser has WebHID. The stable weight is filled into the form. */
import { Scale as ScaleIcon } from 'lucide';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { number, t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { State } from '../../ui/notice.tsx';
import { parseScaleReport, type Reading, SCALE_USAGE } from './hid-scale.ts';

/** The part of WebHID that this screen uses. TypeScript has no types for it. */
interface HidDevice extends EventTarget {
  readonly opened: boolean;
  readonly productName: string;
  readonly collections: readonly { usagePage?: number }[];
  open: () => Promise<void>;
}
interface InputReport extends Event {
  readonly data: DataView;
}
interface Hid extends EventTarget {
  getDevices: () => Promise<HidDevice[]>;
  requestDevice: (options: { filters: readonly object[] }) => Promise<HidDevice[]>;
}

const hid = () => (navigator as { hid?: Hid }).hid;
const isScale = ({ collections }: HidDevice) =>
  collections.some(({ usagePage }) => usagePage === SCALE_USAGE.usagePage);

/**
 * Shows the reading of the scale and calls `onWeight` for each stable weight above 0. Shows nothing if the browser
 * lacks WebHID.
 */
export function ScaleReading({ onWeight }: { onWeight: (reading: Reading) => void }) {
  const { pack } = t();
  const scale = useScale(onWeight);
  if (hid() === undefined) return null;
  if (scale.device === undefined) {
    return (
      <>
        <Button icon={ScaleIcon} onClick={() => void scale.connect()}>
          {pack.connectScale}
        </Button>
        {scale.hasFailed && <State look="risk">{pack.scaleFailed}</State>}
      </>
    );
  }
  const { reading } = scale;
  if (reading === undefined) return <State look="info">{pack.scaleWaits}</State>;
  const weight = `${number(reading.value)} ${reading.unit}`;
  const words = pack.scaleStates[reading.status];
  return (
    <State
      look={reading.status === 'STABLE' ? 'right' : reading.status === 'MOVING' ? 'info' : 'risk'}
      icon={ScaleIcon}
    >
      {words === undefined ? `${pack.scale}: ${weight}` : `${pack.scale}: ${words}`}
    </State>
  );
}

function useScale(onWeight: (reading: Reading) => void) {
  const [device, setDevice] = useState<HidDevice | undefined>();
  const [reading, setReading] = useState<Reading | undefined>();
  const [hasFailed, setFailed] = useState(false);
  const latest = useRef(onWeight);
  latest.current = onWeight;
  const use = async (found: HidDevice | undefined) => {
    if (found === undefined) return;
    try {
      if (!found.opened) await found.open();
      setFailed(false);
      setDevice(found);
    } catch {
      setFailed(true);
    }
  };
  // A scale that the user allowed before connects without a dialog.
  useEffect(() => {
    void hid()
      ?.getDevices()
      .then((all) => use(all.find(isScale)));
  }, []);
  // Runs before "connected" is painted, so that the first report of the scale is not lost.
  useLayoutEffect(() => {
    if (device === undefined) return undefined;
    const onReport = (event: Event) => {
      const { data } = event as InputReport;
      const next = parseScaleReport(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
      if (next === undefined) return;
      setReading(next);
      if (next.status === 'STABLE' && next.value > 0) latest.current(next);
    };
    const onGone = (event: Event) => {
      if ((event as Event & { device?: HidDevice }).device === device) setDevice(undefined);
    };
    device.addEventListener('inputreport', onReport);
    hid()?.addEventListener('disconnect', onGone);
    return () => {
      device.removeEventListener('inputreport', onReport);
      hid()?.removeEventListener('disconnect', onGone);
    };
  }, [device]);
  return {
    device,
    reading,
    hasFailed,
    connect: async () => {
      // If the user closes the list of devices, that is not an error.
      const [found] =
        (await hid()
          ?.requestDevice({ filters: [SCALE_USAGE] })
          .catch(() => [])) ?? [];
      await use(found);
    },
  };
}
