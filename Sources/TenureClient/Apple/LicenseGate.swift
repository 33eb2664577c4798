#if canImport(SwiftUI)
    public import SwiftUI

    /// Shows a part of the app to whoever may use it, and something else to everybody else.
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

        /// Asks for a license or a running trial, and for an entitlement when one is named.
        public init(
            _ manager: LicenseManager, entitlement: String? = nil, @ViewBuilder content: @escaping () -> Content,
            @ViewBuilder otherwise: @escaping () -> Otherwise
        ) {
            self.manager = manager
            self.entitlement = entitlement
            self.content = content
            self.otherwise = otherwise
        }

        /// The content or its replacement; neither before anybody has looked.
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
        /// Asks for the same, and shows the state of the license to everybody else.
        public init(
            _ manager: LicenseManager, entitlement: String? = nil, @ViewBuilder content: @escaping () -> Content
        ) {
            self.init(manager, entitlement: entitlement, content: content) { LicenseStatus(manager) }
        }
    }
#endif
