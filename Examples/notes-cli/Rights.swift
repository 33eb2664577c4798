import TenureClient

/// The rights of the person at this time: all decisions of Notes that depend on its license.
@MainActor
struct Rights {
    private let manager: LicenseManager

    init(_ manager: LicenseManager) { self.manager = manager }

    /// Returns why a note may not be added, or `nil` if it may. Reading is never refused.
    func refusalToAdd(to count: Int) -> String? {
        switch manager.state {
        case .freeTier where count >= Settings.freeNotes:
            "The free plan has room for \(Settings.freeNotes) notes. \(manager.explanation.cure)"
        case .freeTier: nil
        default: refusalToEdit()
        }
    }

    /// Returns why a note may not be changed, or `nil` if it may.
    func refusalToEdit() -> String? {
        switch manager.state {
        case .trial, .licensed, .freeTier: manager.isEntitled || manager.state == .freeTier ? nil : closed
        case .limited: "Your license has expired. You can read and export your notes; renew it to write again."
        case .notDetermined, .expired, .invalid: closed
        }
    }

    /// Returns why the notes may not be exported, or `nil` if they may. A person who has paid once can always export
    /// them.
    func refusalToExport() -> String? {
        if manager.hasEntitlement(Settings.export) || manager.state == .limited { return nil }
        return manager.isEntitled
            ? "Your license does not include export." : "Export needs a license. \(manager.explanation.cure)"
    }

    private var closed: String {
        let why = manager.explanation.reasons[0]
        return "Notes is closed for writing; your notes are safe, and `notes-cli list` shows them.\n"
            + [why.message, Wording.remedy(why), why.cure].compactMap(\.self).joined(separator: " ")
    }
}
