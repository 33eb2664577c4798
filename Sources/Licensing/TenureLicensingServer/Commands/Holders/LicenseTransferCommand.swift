import TenureCommandLine
import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

/// The command `tenure license transfer`.
enum LicenseTransferCommand {
    private static let holder = Argument.required(
        "to", "HOLDER", "The new holder, such as an e-mail address.", as: ArgumentReading<String>.shortText)
    private static let isSure = Argument.flag("yes", "Don't ask before releasing devices.")

    static func command(_ installations: Installations) -> Command {
        Command(
            "transfer", "Passes a license to another holder, with a new key.",
            discussion: """
                The former holder keeps nothing: the old key works for no device, all devices are released, and links \
                and sessions of the license's page end, in one step. Policy, term, order and history stay. The command \
                says how many devices it will release, and asks; without a terminal, give --yes. The new key is shown \
                once, by this command.
                """,
            example: "tenure license transfer NOTE-PRO0-0000-0001 --to eve@example.com",
            arguments: LicenseReference.certainArguments + [holder, isSure, SharedOptions.json],
            output: License.document.output(optional: [("licenseKey", .text())])
        ) { arguments, console in
            let new = arguments[holder]
            guard !new.isEmpty else { throw UsageError("--to: enter the new holder") }
            return try await LicenseAct.perform(installations, arguments, console: console) { license, catalog, _ in
                let devices = try await catalog.store.activations(of: license.id, includingReleased: false).count
                if devices > 0, !arguments[isSure] {
                    let former = license.holder.map { " from \($0)" } ?? ""
                    let fact = "\(devices.of("device")) of \(license.id) will be released."
                    try console.confirm(
                        "Transfer \(license.id)\(former) to \(new)? \(fact)",
                        orElse: "The license wasn't transferred, and no device was released.")
                }
                guard let key = catalog.current.mintKey(for: license.product) else {
                    throw CommandError(
                        "The product \(license.product) is no longer in the catalog. Run `tenure apply FILE` to add it again."
                    )
                }
                return LicenseAct.Plan(
                    act: .transfer(LicenseTransfer(to: new, key: key.key)), newKey: key.text,
                    note: "\(devices.of("device")) released; links and sessions of the license's page have ended")
            }
        }
    }
}
