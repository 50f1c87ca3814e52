import { Field } from '#web/ui/forms/field';
import { Select } from '#web/ui/forms/select';
import type { Device } from './use-devices.ts';

interface DeviceFieldProps {
  label: string;
  devices: readonly Device[];
  /** Null: the browser's own choice, which is the first. */
  chosen: string | null;
  onChoose: (id: string) => void;
  disabled?: boolean;
}

/** Chooses one of several devices. */
export function DeviceField({ label, devices, chosen, onChoose, disabled }: DeviceFieldProps) {
  return (
    <Field label={label}>
      {(control) => (
        <Select
          {...control}
          value={chosen ?? devices[0]?.id ?? ''}
          disabled={disabled}
          onChange={(event) => onChoose(event.target.value)}
        >
          {devices.map((device) => (
            <option key={device.id} value={device.id}>
              {device.label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
