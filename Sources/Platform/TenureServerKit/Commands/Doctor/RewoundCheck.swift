import TenureStore

/// Checks whether the store returned to an older state, and that hasn't been settled.
enum RewoundCheck {
    static func run(_ store: any Store) async -> [Finding] {
        do throws(StoreError) {
            let plan = HistorySettings.plan
            guard let rewound = plan.queries.rewound(in: try await store.fetch(plan.bind())) else { return [] }
            return [.failure("history", rewound.message, cure: RewoundStore.cure)]
        } catch {
            return [.failure("history", error)]
        }
    }
}
