import TenureCore
import TenureFormats
import TenureLicensing
import TenureServerKit

extension TenureDialect {
    /// Activates a license on a device.
    var activate: Endpoint {
        let fields = Fields { fields in
            (
                said: try fields.askWithKey(), report: try fields.report()
            )
        }
        return endpoint("POST", "activate", catalog: .checkedByChange, reads: fields) { [self] call in
            let query = LeaseRequestFields(call.caller.product.ref, call.input.said)
            let outcome = try await licensing.activate(
                call.input.said.key, for: call, from: PresentedDevice(query.device, call.input.report))
            return try answer(to: outcome, query, under: call.caller.snapshot)
        }
    }

    private func answer(
        to outcome: LicensingContext.ActivationOutcome, _ query: LeaseRequestFields, under snapshot: CatalogSnapshot
    ) throws -> Endpoint.Conclusion {
        switch outcome {
        case .unknown(let refusal):
            return .refused(try refusing(refusal, query, under: snapshot))
        case .answered(let license, .activated(let activation, let terms, _)):
            return try saying(
                "lease", query.lease(terms, of: license, to: activation.id, under: snapshot), under: snapshot)
        case .answered(let license, .refused(let refusal, let terms, let existing)):
            let lease = terms.map { query.lease($0, of: license, to: existing?.id, under: snapshot) }
            return .refused(try refusing(refusal, query, lease: lease, under: snapshot))
        }
    }

    /// Renews the lease of an activation.
    ///
    /// A device that has been renamed, or whose system has been updated, reports the new name or system.
    var renew: Endpoint {
        let fields = Fields { fields in (said: try fields.askWithPlace(), report: try fields.report()) }
        return endpoint("POST", "renew", catalog: .checkedByRead, reads: fields) { [self] call, reads in
            let query = LeaseRequestFields(call.caller.product.ref, call.input.said)
            let snapshot = call.caller.snapshot
            let activation = call.input.said.activation
            let outcome = try licensing.validate(
                call.input.said.key, for: call, activation: activation,
                from: PresentedDevice(query.device, call.input.report), under: snapshot, &reads)
            return try answer(to: outcome, query, about: activation, under: snapshot)
        }
    }

    private func answer(
        to outcome: LicensingContext.ValidationOutcome, _ query: LeaseRequestFields, about activation: ActivationID,
        under snapshot: CatalogSnapshot
    ) throws -> Endpoint.Conclusion {
        switch outcome {
        case .unknown(let refusal):
            return .refused(try refusing(refusal, query, under: snapshot))
        case .answered(let license, .valid(let terms), _):
            return try saying(
                "lease", query.lease(terms, of: license, to: activation, under: snapshot), under: snapshot)
        case .answered(let license, .refused(let refusal, let terms), _):
            let lease = terms.map { query.lease($0, of: license, to: activation, under: snapshot) }
            return .refused(try refusing(refusal, query, lease: lease, under: snapshot))
        }
    }

    /// Releases the device that sends the request.
    var release: Endpoint {
        let fields = Fields { fields in try fields.askWithPlace() }
        return endpoint("POST", "release", catalog: .checkedByChange, reads: fields) { [self] call in
            let query = LeaseRequestFields(call.caller.product.ref, call.input)
            let snapshot = call.caller.snapshot
            let refusal = try await licensing.release(
                call.input.activation, under: call.input.key, for: call, from: query.identity)
            if let refusal { return .refused(try refusing(refusal, query, under: snapshot)) }
            return try saying("release", TenureRelease(shortEnvelope(query)), under: snapshot)
        }
    }

    /// Returns when this device's trial began.
    ///
    /// Only the vendor changes the start; an app that has lost its data gets the same one.
    var trial: Endpoint {
        let fields = Fields { fields in
            (
                said: try fields.readValues(), claimed: try fields.optional("startedAt", .posixSeconds),
                report: try fields.report()
            )
        }
        return endpoint("POST", "trial", catalog: .current, reads: fields) { [self] call in
            let query = LeaseRequestFields(call.caller.product.ref, call.input.said)
            let product = call.caller.product
            guard let device = Hex.decode(call.input.said.device.text).flatMap({ Digest($0) }) else {
                throw Failure(FieldFault("device", .invalid(must: "64 lower-case hexadecimal digits")))
            }
            let reported = ReportedTrialDevice(hash: device, report: call.input.report)
            switch try await licensing.context.startTrial(
                reported, of: product.ref, claimed: call.input.claimed, within: licensing.trialLimit)
            {
            case .granted(let trial):
                let days = trial.days(under: catalog.current.catalog[product.ref] ?? product)
                return try saying(
                    "trial", TenureTrial(longEnvelope(query), start: trial.start, days: days),
                    under: call.caller.snapshot)
            case .refused(let refusal):
                return .refused(try refusing(refusal, query, under: call.caller.snapshot))
            case .unrecorded(let trial):
                // A one-day statement lets the app start right away. The device repeats its request within that day.
                let days = catalog.current.catalog[product.ref]?.trialDays ?? product.trialDays
                let now = clock.now()
                return try saying(
                    "trial",
                    TenureTrial(query.envelope(from: now, until: now.adding(days: 1)), start: trial.start, days: days),
                    under: call.caller.snapshot)
            }
        }
    }
}

extension FieldType where Value == Timestamp {
    fileprivate static var posixSeconds: FieldType {
        .integer("whole POSIX seconds") { Timestamp(seconds: $0) }
    }
}
