import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension LicenseEndpoints {
    /// A license with its new key, and how many devices keep the old key or stop.
    private struct Rekeyed: Sendable {
        let license: KeyedLicense
        let keptCount: Int
        let stopped: Int

        static let document = Document<Rekeyed>(
            "RekeyedLicense",
            KeyedLicense.document.members { $0.license } + [
                .integer("keptDevices", "How many active devices may continue with the old key.") {
                    Int64($0.keptCount)
                },
                .integer("stoppedDevices", "How many active devices stop, until the new key is entered there.") {
                    Int64($0.stopped)
                },
            ])
    }

    /// Replaces a license's key and returns the new key's text.
    var rekey: Endpoint {
        let fields = Fields { fields in
            let license = try fields.licenseInPath()
            let keepsDevices =
                try fields.optional(
                    "keepDevices", .boolean,
                    "For a key that was lost: the active devices continue with the old key, which works for nothing else."
                )
                ?? false
            let before = try fields.optional(
                "activatedBefore", .dateTime,
                "With `keepDevices`: only devices that were activated before this time in the past continue.")
            guard before == nil || keepsDevices else {
                throw Failure(FieldFault("activatedBefore", .other("needs \"keepDevices\": true")))
            }
            let isMailed =
                try fields.optional(
                    "mail", .boolean,
                    "Whether a letter sends the new key to `holderEmail`, or to a `holder` that is an address.")
                ?? false
            return (license: license, keepsDevices: keepsDevices, before: before, isMailed: isMailed)
        }
        return Endpoint(
            "POST", Self.license + "/rekey", format: .problem, catalog: .cached, authentication: with("licenses:write"),
            reads: fields,
            repeats: .once(repeated(.alone)), answers: Rekeyed.document,
            operation: Operation(
                "rekeyLicense", "licenses", "Give a license a new key",
                "The old key activates nothing any more, and every device needs the new key, unless `keepDevices` is "
                    + "true. Without it, the devices of all former keys stop too. Links and sessions of the license's "
                    + "page end; term, activations and history stay. The new key is shown only this once.")
        ) { call in
            let input = call.input
            let now = licensing.clock.now()
            if let before = input.before, before > now {
                throw Failure(FieldFault("activatedBefore", .other("must be a time in the past")))
            }
            let license = try await license(input.license, of: call.caller)
            let minted = try await mint(for: license, isMailed: input.isMailed)
            let devices: KeptDevices =
                input.keepsDevices ? input.before.map(KeptDevices.activatedBefore) ?? .active : .none
            let active = try await licensing.store.activations(of: license.id, includingReleased: false)
            let keptCount = active.count { devices.keep($0, at: now) }
            var random = licensing.randomness.generator()
            return try await perform(
                .rekey(minted.key, derivation: minted.derivation, keeping: devices), on: license.id,
                mailing: input.isMailed ? .random(using: &random) : nil, call, as: Rekeyed.document
            ) { license, _ in
                Rekeyed(
                    license: KeyedLicense(keyText: minted.text, license: license), keptCount: keptCount,
                    stopped: active.count - keptCount)
            }
        }
    }

    /// Passes a license to another holder and returns the new key's text.
    var transfer: Endpoint {
        let fields = Fields { fields in
            (
                license: try fields.licenseInPath(),
                holder: try fields.required("holder", .line(1...256), "The new holder.")
            )
        }
        return Endpoint(
            "POST", Self.license + "/transfer", format: .problem, catalog: .cached,
            authentication: with("licenses:write"), reads: fields,
            repeats: .once(repeated(.alone)), answers: KeyedLicense.document,
            operation: Operation(
                "transferLicense", "licenses", "Pass a license to another holder",
                "The license gets a new key, its devices are released, and links and sessions of its page end, so the "
                    + "former holder keeps nothing. Policy, term, order and history stay. The new key is shown only this "
                    + "once.")
        ) { call in
            let license = try await license(call.input.license, of: call.caller)
            let minted = try await mint(for: license, isMailed: false)
            return try await perform(
                .transfer(LicenseTransfer(to: call.input.holder, key: minted.key)), on: license.id, call,
                as: KeyedLicense.document
            ) { license, _ in KeyedLicense(keyText: minted.text, license: license) }
        }
    }

    private func mint(for license: License, isMailed: Bool) async throws -> NewKey {
        let minted = try await licensing.catalog.newKey(
            for: license, isMailed: isMailed, at: licensing.clock.now(), licensing.randomness)
        guard let minted else { throw Failure.notFound }
        return minted
    }
}
