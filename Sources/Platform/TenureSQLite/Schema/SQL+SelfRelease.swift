extension SQL {
    /// Who released a device, and how often license holders may do so themselves; unknown for existing rows.
    static let selfRelease = SQL(
        """
        ALTER TABLE activations ADD COLUMN released_by TEXT
            CHECK (released_by IN ('device', 'holder', 'operator'));
        ALTER TABLE policies ADD COLUMN self_release_cooldown_days INTEGER;
        ALTER TABLE policies ADD COLUMN self_release_per_year INTEGER;
        """)
}
