import TenureCore
import TenureCrypto
import TenureFormats
import TenureLicensing
import TenureServerKit

extension TenureDialect {
    /// The fields of a device's request to list or release the devices of its license.
    private struct Shown: Sendable {
        let said: LeaseRequestFields.SaidWithPlace
        let lease: [UInt8]
    }

    /// A device that has proved its own activation with a valid lease.
    private struct Holder {
        let query: LeaseRequestFields
        let activation: ActivationID
        let license: License
        let snapshot: CatalogSnapshot
    }

    /// Lists the devices of the license for one of them.
    var devices: Endpoint {
        let fields = Fields { fields in try Self.shown(&fields) }
        return endpoint("POST", "devices", catalog: .current, reads: fields) { [self] call in
            try await devices(for: try await holder(call.input, call))
        }
        .outsideChangeLimit()
    }

    /// Releases another device of the license if the policy allows it.
    var releaseDevice: Endpoint {
        let fields = Fields { fields in
            (target: try fields.required("release", .activationID), shown: try Self.shown(&fields))
        }
        return endpoint("POST", "devices/release", catalog: .current, reads: fields) { [self] call in
            let holder = try await holder(call.input.shown, call)
            // A device knows its own activation id, but only the public ids of the others.
            let named = call.input.target
            let target = named == holder.activation ? named : try names.meant(named)
            let refusal = try await licensing.context.releaseByHolder(
                target, of: holder.license.id, askedFrom: holder.activation)
            if let refusal { return .refused(try refusing(refusal, holder.query, under: holder.snapshot)) }
            return try await devices(for: holder)
        }
    }

    private static func shown(_ fields: inout FieldReader) throws(Failure) -> Shown {
        let said = try fields.askWithPlace()
        return Shown(said: said, lease: Array(try fields.required("lease", .shownLease).utf8))
    }

    private func holder<Input>(_ shown: Shown, _ call: Call<AppCaller, Input>) async throws -> Holder {
        let query = LeaseRequestFields(call.caller.product.ref, shown.said)
        let activation = shown.said.activation
        let outcome = try await catalog.reading { snapshot, reads in
            try licensing.validate(
                shown.said.key, for: call, activation: activation, from: PresentedDevice(query.device),
                under: snapshot, &reads)
        }
        // With a replaced key, a device may continue, but it can't list or release other devices.
        let key = shown.said.key.under(call.caller.product.keyPrefix)
        if case .answered(let license, .valid, let snapshot) = outcome, !key.isCurrent(of: license) {
            throw try refusing(Refusal(.licenseRekeyed), query, under: snapshot)
        }
        switch outcome {
        case .unknown(let refusal):
            throw try refusing(refusal, query, under: call.caller.snapshot)
        case .answered(let license, .refused(let refusal, let terms), let snapshot):
            let lease = terms.map { query.lease($0, of: license, to: activation, under: snapshot) }
            throw try refusing(refusal, query, lease: lease, under: snapshot)
        case .answered(let license, .valid, let snapshot):
            try check(shown.lease, of: license, for: query, under: snapshot)
            return Holder(query: query, activation: activation, license: license, snapshot: snapshot)
        }
    }

    /// Throws unless the lease is this device's, belongs to this license and hasn't expired.
    private func check(
        _ shown: [UInt8], of license: License, for query: LeaseRequestFields, under snapshot: CatalogSnapshot
    ) throws {
        let ring = try snapshot.keyRing(of: query.product.tenant)
        let keys = Dictionary(uniqueKeysWithValues: ring.keys.map { ($0.kid, $0.privateKey.publicKey) })
        let bindings = StatementBindings(
            product: query.product, keyHash: query.key?.hash, device: query.device, activation: query.activation,
            occasion: .kept(at: clock.now()))
        let lease = try? UnverifiedTenureLease(compact: shown).verify(bindings, trusting: TrustedKeys(pinned: keys))
        guard lease?.license == license.id else {
            throw Failure(
                RejectedRequest(
                    422, code: "lease_not_valid",
                    "The lease has expired, or was issued for another device or license. Renew the lease, then send "
                        + "the new one."
                ))
        }
    }

    private func devices(for holder: Holder) async throws -> Endpoint.Conclusion {
        let (license, snapshot) = (holder.license, holder.snapshot)
        let policy = try snapshot.policy(of: license)
        let (devices, left) = try await licensing.context.devices(of: license.id, for: holder.activation, under: policy)
        let names = try names
        let statement = TenureDevices(
            shortEnvelope(holder.query), activationLimit: policy.allowance(of: license).limit,
            selfRelease: left.map { .init(left: $0.left, nextAt: $0.nextAt) },
            devices: devices.active.map { seen in
                let device = seen.activation
                return .init(
                    activation: device.id == holder.activation ? device.id : names.shown(device.id), name: device.name,
                    system: device.system, activatedAt: device.activatedAt, lastSeenAt: seen.lastSeenAt)
            }, total: devices.activeCount)
        return try saying("devices", statement, under: snapshot)
    }

    private var names: PublicNames { get throws(ServerError) { try catalog.secrets.names } }
}

extension FieldType where Value == String {
    /// The device's lease, as the server issued it.
    fileprivate static var shownLease: FieldType {
        .text("a lease", like: "x", longest: 16 << 10, schema: .text()) { $0 }
    }
}
