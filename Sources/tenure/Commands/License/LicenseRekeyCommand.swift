import TenureCommandLine
import TenureCore
import TenureServer

/// `tenure license rekey`
enum LicenseRekeyCommand {
    static let command = Command(
        "rekey", "Gives a license a new key; the old one is dead.",
        discussion: "Term, holder, devices and history stay. The new key is shown once, here.",
        example: "tenure license rekey NOTE-PRO0-0000-0001",
        arguments: LicenseReference.arguments + [SharedOptions.json]
    ) { arguments, console in
        try await LicenseAct.perform(arguments, console: console) { license, catalog in
            guard let key = catalog.current.mintKey(for: license.product) else {
                throw CommandError(
                    "The product \(license.product) is gone from the catalog. `tenure apply FILE` puts it back.")
            }
            return LicenseAct.Plan(act: .rekey(key.key), newKey: key.text)
        }
    }
}
