import { useAddress } from "../../../shell/address.js";
import { OPEN_TEMPLATES } from "./templates-address.js";

interface TemplatesDialogState {
  isOpen: boolean;
  open(): void;
  close(): void;
}

/** DASH-10: the address tells whether the dialog is open, so that the first steps can link to it. */
export function useTemplatesDialog(): TemplatesDialogState {
  const { parameters, edit } = useAddress();
  return {
    isOpen: parameters.get(OPEN_TEMPLATES.name) === OPEN_TEMPLATES.value,
    open: () => edit({ [OPEN_TEMPLATES.name]: OPEN_TEMPLATES.value }),
    close: () => edit({ [OPEN_TEMPLATES.name]: null }),
  };
}
