public import TenureCore

extension AppLicense {
    /// The consequences if the renewal for a request couldn't be written for its device.
    ///
    /// The response lists the license as ineligible, so the device no longer starts the app until a renewal succeeds.
    /// The license gets back its earlier term, which is the one stored on the device; otherwise, each attempt would
    /// extend it. If a later request renewed the license in the meantime, that term stays.
    ///
    /// - Parameters:
    ///   - before: The license before the request; `nil` if the request was repeated.
    ///   - key: The digest of the asset's key blob.
    public func unwrittenRenewal(
        for request: UInt64, before: AppLicense?, key: Digest, at now: Timestamp
    ) -> AppLicense.Consequences {
        var license = self
        if let before, termRequest == request {
            license.term = before.term
            license.termRequest = before.termRequest
            // Another license may have replaced this one in the meantime.
            license.isReplaced = isReplaced || before.isReplaced
        }
        return AppLicense.Consequences(
            licenses: license.failed(with: key, at: now), events: [unusableKey(.appLicenseIneligible, at: now)])
    }

    /// The consequences if the license was issued, but couldn't be written for its device.
    ///
    /// A license that this request created is returned, because the device doesn't have it, so it mustn't count towards
    /// the device limit. The licenses that it replaced become current again, unless a later request replaced this
    /// license in the meantime. Repeating the request is then refused. A license that an earlier request created stays,
    /// because the device may have received it then.
    ///
    /// - Parameters:
    ///   - issuance: What the request changed, with the replaced licenses as they are now.
    ///   - key: The digest of the asset's key blob.
    public func unwritten(
        _ issuance: AppLicense.Issuance, key: Digest, at now: Timestamp
    ) -> AppLicense.Consequences {
        let refusal = unusableKey(.appLicenseRefused, at: now)
        // If the license was stopped or renewed in the meantime, that decision remains.
        guard case .new(let replaced) = issuance, recordedState == .active, termRequest == request else {
            return AppLicense.Consequences(licenses: failed(with: key, at: now), events: [refusal])
        }
        var license = self
        license.failedAt = now
        license.failedKey = key
        license.recordedState = .returned
        license.stoppedAt = now
        license.isReplaced = true
        var restored: [AppLicense] = []
        if !isReplaced {
            for var earlier in replaced
            where earlier.isReplaced && !earlier.isUndelivered && earlier.isOfSameDeviceAndApp(as: self) {
                earlier.isReplaced = false
                restored.append(earlier)
            }
        }
        return AppLicense.Consequences(licenses: [license] + restored, events: [refusal])
    }

    /// Whether the license never reached its device; see ``unwritten(_:key:at:)``.
    ///
    /// The result is also `true` for a replaced license that was returned in the same second in which its renewal
    /// couldn't be written.
    package var isUndelivered: Bool {
        recordedState == .returned && isReplaced && failedKey != nil && failedAt == stoppedAt
    }

    /// Whether the device got a newer license of the app and account.
    ///
    /// An undelivered license is marked like a replaced one, but no other license replaced it.
    package var hasNewer: Bool { isReplaced && !isUndelivered }

    private func failed(with key: Digest, at now: Timestamp) -> [AppLicense] {
        guard !recordedState.isFinal else { return [] }
        var license = self
        license.failedAt = now
        license.failedKey = key
        return [license]
    }

    private func unusableKey(_ kind: EventKind, at now: Timestamp) -> Event {
        event(kind, by: .device, at: now, [.init("reason", .text(Reason.Kind.appKeyUnusable.text))])
    }
}

extension AppLicense {
    /// How a license request got its license: by creating it, or by repeating an earlier request.
    public enum Issuance: Sendable, Hashable {
        /// The request created the license, which replaced the device's licenses listed here.
        case new(replacing: [AppLicense])
        /// The request was repeated, and the license was created before.
        case repeated

        /// Whether the request created the license.
        public var isNew: Bool { self != .repeated }

        /// The licenses that the request marked as replaced.
        public var replaced: [AppLicense] {
            if case .new(let replaced) = self { replaced } else { [] }
        }
    }
}
