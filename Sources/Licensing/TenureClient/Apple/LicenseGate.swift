#if canImport(SwiftUI)
    public import SwiftUI

    /// Shows one view to users who are entitled and another to everyone else.
    ///
    /// ```swift
    /// LicenseGate(manager, entitlement: "sync") {
    ///     SyncSettings()
    /// } otherwise: {
    ///     LicenseStatus(manager)
    /// }
    /// ```
    public struct LicenseGate<Content: View, Otherwise: View>: View {
        @ObservedObject private var manager: LicenseManager
        private let entitlement: String?
        private let content: () -> Content
        private let otherwise: () -> Otherwise

        /// Creates a gate that requires a license or a running trial, and the entitlement if one is named.
        public init(
            _ manager: LicenseManager, entitlement: String? = nil, @ViewBuilder content: @escaping () -> Content,
            @ViewBuilder otherwise: @escaping () -> Otherwise
        ) {
            self.manager = manager
            self.entitlement = entitlement
            self.content = content
            self.otherwise = otherwise
        }

        /// The content if the user is entitled, otherwise the alternative view; empty while the state is
        /// `.notDetermined`.
        public var body: some View {
            if manager.state == .notDetermined {
                EmptyView()
            } else if isOpen {
                content()
            } else {
                otherwise()
            }
        }

        private var isOpen: Bool { entitlement.map(manager.hasEntitlement) ?? manager.isEntitled }
    }

    extension LicenseGate where Otherwise == LicenseStatus {
        /// Creates a gate that shows ``LicenseStatus`` to users who aren't entitled.
        public init(
            _ manager: LicenseManager, entitlement: String? = nil, @ViewBuilder content: @escaping () -> Content
        ) {
            self.init(manager, entitlement: entitlement, content: content) { LicenseStatus(manager) }
        }
    }
#endif
